import { errorMessage } from '../../src/domain/errors.ts'
import { parseStringMap } from '../../src/schemas/formats/stringMap.ts'
import { guardedRequest } from '../outbound/guardedRequest.ts'
import type { Reply } from '../outbound/reply.ts'
import { TargetNotAllowedError } from '../outbound/resolveTarget.ts'
import { retryAfterMs } from '../outbound/retryAfter.ts'
import { ApiError } from '../wire/apiError.ts'
import type { DesiredRecord } from './desiredRecords.ts'
import { DdnsError, type Provider, type ProviderSettings } from './providers/provider.ts'
import type { UpdateOutcome } from './updateQueue.ts'

interface SendOptions {
  providers: ReadonlyMap<string, Provider>
  /** Whether the profile's owner may use private targets. */
  allowPrivate: boolean
  signal: AbortSignal
  /** Milliseconds since 1970. */
  now: () => number
}

/** Milliseconds: for a provider that is called too often and does not say when it may be called again. */
const throttledMs = 30_000
const tooManyRequests = 429

/** Enough for a list of several hundred zones. */
const maxBodyBytes = 1024 * 1024
const maxMessageLength = 200

/** Sends one update to the provider of a profile. Never rejects: errors are in the outcome, without secrets. */
export async function sendUpdate(
  { profile, domain, record, address }: DesiredRecord & { address: string },
  { providers, allowPrivate, signal, now }: SendOptions,
): Promise<UpdateOutcome> {
  const provider = providers.get(profile.provider)
  if (!provider) {
    const message = `There is no provider “${profile.provider}” here: choose another one in the profile.`
    return { ok: false, message, isFinal: true }
  }
  let last: Reply | undefined
  try {
    await provider({ settings: profile, domain, record, address }, async (request) => {
      last = undefined
      last = await guardedRequest(
        { ...request, verifyTls: true },
        { allowPrivate, signal, maxBodyBytes, mustArrive: true },
      )
      return last
    })
    return { ok: true, message: '' }
  } catch (error) {
    const isThrottled = last?.code === tooManyRequests || (error instanceof DdnsError && error.isThrottled)
    const askedMs = (last && retryAfterMs(last, now())) ?? (isThrottled ? throttledMs : undefined)
    if (askedMs !== undefined) {
      return { ok: false, message: messageFor(error, profile), retryAfterMs: Math.max(askedMs, 1000) }
    }
    const isFinal = error instanceof TargetNotAllowedError || (error instanceof DdnsError && error.isFinal)
    return { ok: false, message: messageFor(error, profile), isFinal }
  }
}

function messageFor(error: unknown, settings: ProviderSettings): string {
  // Any other error is a bug here or an unexpected reply; its message helps to find the place.
  const isExpected = error instanceof DdnsError || error instanceof ApiError
  const text = isExpected ? error.message : `The provider's reply could not be understood: ${errorMessage(error)}`
  const redacted = secretsOf(settings).reduce((redactedText, secret) => redactedText.replaceAll(secret, '***'), text)
  return redacted.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, maxMessageLength)
}

/** Some receivers repeat the request in their reply, headers included, plain or encoded as in URLs and JSON. */
function secretsOf({ access_id, access_secret, webhook_headers }: ProviderSettings): string[] {
  const secrets = [access_secret, access_id, ...Object.values(parseStringMap(webhook_headers) ?? {})]
  return secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .filter((secret) => secret.length > 3 && !/^#[a-z_]+#$/.test(secret))
    .sort((one, other) => other.length - one.length)
}
