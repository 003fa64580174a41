import { errorMessage } from '../../src/domain/errors.ts'
import { parseStringMap } from '../../src/schemas/formats/stringMap.ts'
import { TargetNotAllowedError } from '../outbound/dial.ts'
import { guardedRequest } from '../outbound/guardedRequest.ts'
import { type Reply, retryAfterMs } from '../outbound/reply.ts'
import { ApiError } from '../wire/apiCall.ts'
import { DdnsError, type Provider, type ProviderSettings } from './providers/provider.ts'
import type { DesiredRecord } from './recordTracker.ts'

/** An update to send to a provider, with retries until it succeeds or `maxTries` is reached. */
export interface UpdateJob {
  /** Only a few jobs of one profile run at the same time. */
  profileId: number
  /** Two jobs for one domain are never sent at the same time. */
  domain: string
  /** Identifies what is sent; a job with other content replaces a waiting one. */
  content: string
  maxTries: number
}

export interface UpdateOutcome {
  ok: boolean
  /** Why it failed; '' after success. */
  message: string
  /** Whether a retry is useless. */
  isFinal?: boolean
  /** Milliseconds for which the provider asks to be left alone: that is no try. */
  retryAfterMs?: number
}

export interface PendingUpdate {
  content: string
  tries: number
  /** Why the last try failed; '' before it. */
  message: string
}

interface QueueOptions<J extends UpdateJob> {
  /** Sends once; never rejects. */
  send(job: J): Promise<UpdateOutcome>
  /** Called when a job has succeeded or failed for good. */
  onEnded(key: string, job: J, outcome: UpdateOutcome, tries: number): void
  /** Milliseconds since 1970. */
  now: () => number
}

/** At most one job for each key. */
export interface UpdateQueue<J extends UpdateJob> {
  /**
   * Adds a job. It replaces a waiting job of this key, and follows one that is being sent. One with the same content
   * changes nothing.
   */
  put(key: string, job: J): void
  /** Makes a waiting job due now and resets its tries. */
  retryNow(key: string): void
  /** Removes a job; one that is being sent is not retried. */
  cancel(key: string): void
  get(key: string): PendingUpdate | undefined
  keys(): Iterable<string>
  /** Sends the jobs that are due, within the concurrency limits. */
  start(): void
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>
  /** Starts no more jobs; resolves when nothing is being sent. */
  stop(): Promise<void>
}

interface Entry<J> {
  job: J
  tries: number
  message: string
  /** Milliseconds since 1970. */
  dueAt: number
  isSending?: boolean
  /** The job after the one that is being sent; `null` when it was cancelled. */
  next?: J | null
}

const maxConcurrent = 16
/** So that one slow provider does not block the others. */
const maxConcurrentPerProfile = 4

/** The pause before the second try; it doubles each time. */
const firstRetryMs = 5000
const maxRetryMs = 300_000

export function createUpdateQueue<J extends UpdateJob>({ send, onEnded, now }: QueueOptions<J>): UpdateQueue<J> {
  const entriesByProfile = new Map<number, Map<string, Entry<J>>>()
  const entries = new Map<string, Entry<J>>()
  const busyDomains = new Set<string>()
  const sendingByProfile = new Map<number, number>()
  const running = new Set<Promise<void>>()
  let isStopped = false

  function add(key: string, job: J): void {
    const entry = { job, tries: 0, message: '', dueAt: now() }
    const profileJobs = entriesByProfile.get(job.profileId) ?? new Map<string, Entry<J>>()
    entriesByProfile.set(job.profileId, profileJobs.set(key, entry))
    entries.set(key, entry)
  }

  function remove(key: string, { job: { profileId } }: Entry<J>): void {
    entries.delete(key)
    entriesByProfile.get(profileId)?.delete(key)
    if (entriesByProfile.get(profileId)?.size === 0) entriesByProfile.delete(profileId)
  }

  async function run(key: string, entry: Entry<J>): Promise<void> {
    const { job } = entry
    const outcome = await send(job)
    entry.isSending = false
    if (outcome.retryAfterMs === undefined) entry.tries++
    busyDomains.delete(job.domain)
    const others = (sendingByProfile.get(job.profileId) ?? 1) - 1
    if (others > 0) sendingByProfile.set(job.profileId, others)
    else sendingByProfile.delete(job.profileId)
    handleOutcome(key, entry, outcome)
  }

  function handleOutcome(key: string, entry: Entry<J>, outcome: UpdateOutcome): void {
    const { job, tries, next } = entry
    const isFinished = outcome.ok || outcome.isFinal || tries >= job.maxTries
    if (next === undefined && !isFinished) {
      entry.message = outcome.message
      entry.dueAt = now() + (outcome.retryAfterMs ?? Math.min(firstRetryMs * 2 ** (tries - 1), maxRetryMs))
      return
    }
    remove(key, entry)
    // The result of a replaced or cancelled job only matters when it has changed something.
    if (next !== null && (next === undefined || outcome.ok)) onEnded(key, job, outcome, tries)
    if (next) add(key, next)
  }

  function start(): void {
    for (const [profileId, profileJobs] of entriesByProfile) {
      for (const [key, entry] of profileJobs) {
        if (running.size >= maxConcurrent || isStopped) return
        if ((sendingByProfile.get(profileId) ?? 0) >= maxConcurrentPerProfile) break
        if (entry.isSending || entry.dueAt > now() || busyDomains.has(entry.job.domain)) continue
        sendingByProfile.set(profileId, (sendingByProfile.get(profileId) ?? 0) + 1)
        busyDomains.add(entry.job.domain)
        entry.isSending = true
        const sent = run(key, entry).finally(() => {
          running.delete(sent)
          start()
        })
        running.add(sent)
      }
    }
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all(running)
  }

  return {
    start,
    idle,
    stop() {
      isStopped = true
      return idle()
    },
    put(key, job) {
      const entry = entries.get(key)
      if (!entry) add(key, job)
      else if (entry.job.content === job.content) {
        entry.job = { ...job }
        entry.next = undefined
      } else if (entry.isSending) entry.next = job
      else {
        remove(key, entry)
        add(key, job)
      }
    },
    retryNow(key) {
      const entry = entries.get(key)
      if (!entry || entry.isSending) return
      entry.tries = 0
      entry.dueAt = now()
    },
    cancel(key) {
      const entry = entries.get(key)
      if (entry?.isSending) entry.next = null
      else if (entry) remove(key, entry)
    },
    get: (key) => {
      const entry = entries.get(key)
      return entry && { content: (entry.next ?? entry.job).content, tries: entry.tries, message: entry.message }
    },
    keys: () => entries.keys(),
  }
}

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
