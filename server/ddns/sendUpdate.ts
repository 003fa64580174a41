import { readTextPairs } from '../../src/schemas/formats/textPairs.ts'
import { guardedRequest } from '../outbound/guardedRequest.ts'
import { TargetNotAllowedError } from '../outbound/resolveTarget.ts'
import { ApiError } from '../wire/apiError.ts'
import type { Wanted } from './desiredRecords.ts'
import { DdnsFailure, type Provider, type ProviderSettings } from './provider.ts'
import type { Outcome } from './queue.ts'

interface SendOptions {
  providers: ReadonlyMap<string, Provider>
  /** Whether the profile's owner may name targets behind this server. */
  allowPrivate: boolean
  signal: AbortSignal
}

/** Bytes of a reply that are looked at: a list of some hundred zones. */
const maxBodyBytes = 1024 * 1024
/** Characters of a provider's words that are kept. */
const longestWords = 200

/** Tells the provider of a profile once. Never rejects: what went wrong is in the outcome, without secrets. */
export async function sendUpdate(
  { profile, domain, record, address }: Wanted & { address: string },
  { providers, allowPrivate, signal }: SendOptions,
): Promise<Outcome> {
  const provider = providers.get(profile.provider)
  if (!provider) {
    const words = `There is no provider “${profile.provider}” here: choose another one in the profile.`
    return { ok: false, words, isFinal: true }
  }
  try {
    await provider({ settings: profile, domain, record, address }, (call) =>
      guardedRequest({ ...call, verifyTls: true }, { allowPrivate, signal, maxBodyBytes }),
    )
    return { ok: true, words: '' }
  } catch (error) {
    const isFinal = error instanceof TargetNotAllowedError || (error instanceof DdnsFailure && error.isFinal)
    return { ok: false, words: wordsOf(error, profile), isFinal }
  }
}

function wordsOf(error: unknown, settings: ProviderSettings): string {
  // Anything else is a fault of ours, or of a reply that looks like nothing known; its message names the place.
  const isMeant = error instanceof DdnsFailure || error instanceof ApiError
  const text = isMeant ? error.message : `The provider's reply could not be understood: ${(error as Error).message}`
  const plain = secretsOf(settings).reduce((kept, secret) => kept.replaceAll(secret, '***'), text)
  return plain.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, longestWords)
}

/** Some receivers repeat what they were sent, headers included, as it was or as URLs and JSON have it. */
function secretsOf({ access_id, access_secret, webhook_headers }: ProviderSettings): string[] {
  const secrets = [access_secret, access_id, ...Object.values(readTextPairs(webhook_headers) ?? {})]
  return secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .filter((secret) => secret.length > 3 && !/^#[a-z_]+#$/.test(secret))
    .sort((one, other) => other.length - one.length)
}
