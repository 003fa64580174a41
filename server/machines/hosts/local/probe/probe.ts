import { createConcurrencyLimit } from '../../../../outbound/concurrencyLimit.ts'
import { failureReason } from '../../../../outbound/failureReason.ts'
import { guardedRequest } from '../../../../outbound/guardedRequest.ts'
import { TargetNotAllowedError } from '../../../../outbound/resolveTarget.ts'
import { ApiError } from '../../../../wire/apiError.ts'
import type { Check, Pings, ProbeOptions, ProbeResult } from '../../probe.ts'
import { createPing, pingSeveral } from './ping.ts'
import { probeTcp } from './tcp.ts'

export type Probe = (check: Check, options: ProbeOptions) => Promise<ProbeResult>

/**
 * Checks at the same time. 5,000 targets that do not answer, checked every 30 s with a timeout of 10 s, are 1,700 open
 * connections. Every ping is a process, which takes more memory but waits for less time.
 */
const maxConcurrent = { http: 2048, tcp: 2048, icmp: 128 } satisfies Record<Check['type'], number>
const maxPingMs = 3000

/** Checks services from the machine this process runs on. Never rejects. @param ping the command for ICMP */
export function createProbe({ ping = 'ping' } = {}): Probe {
  const sendPing = createPing(ping)
  const icmp: typeof sendPing = (target, options) =>
    sendPing(target, { ...options, timeoutMs: Math.min(maxPingMs, options.timeoutMs) })
  const byType = { http: probeHttp, icmp, tcp: probeTcp }
  const concurrency = {
    http: createConcurrencyLimit(maxConcurrent.http),
    tcp: createConcurrencyLimit(maxConcurrent.tcp),
    icmp: createConcurrencyLimit(maxConcurrent.icmp),
  }
  return async ({ type, target }, options) => {
    try {
      return await concurrency[type].run(async () => {
        options.signal?.throwIfAborted()
        return byType[type](target.trim(), options)
      })
    } catch (error) {
      if (error instanceof TargetNotAllowedError) return { outcome: 'not permitted', problem: error.message }
      if (error instanceof ApiError) return { outcome: 'down', problem: error.message }
      return { outcome: 'down', problem: failureReason(error) }
    }
  }
}

/** Pings a host several times, some hosts at once. @param ping the command for it */
export function createSeveralPings({ ping = 'ping' } = {}) {
  const concurrency = createConcurrencyLimit(maxConcurrent.icmp)
  return (host: string, pings: Pings, options: ProbeOptions): Promise<readonly number[] | undefined> =>
    concurrency.run(() => pingSeveral(ping, host, pings, options))
}

/**
 * Requests a URL and follows redirects: status 2xx and 3xx mean up, and the body is not read. Invalid certificates are
 * accepted, as by real agents; the certificate is part of the result.
 */
async function probeHttp(url: string, options: ProbeOptions): Promise<ProbeResult> {
  const startedAt = performance.now()
  const { code, text, certificate } = await guardedRequest(
    { url, method: 'GET', headers: () => ({}), verifyTls: false },
    options,
  )
  const delay = performance.now() - startedAt
  const withCertificate = certificate && { certificate }
  return code >= 200 && code < 400
    ? { outcome: 'up', delay, ...withCertificate }
    : { outcome: 'down', problem: text, ...withCertificate }
}
