import { guardedRequest } from '../../../../outbound/guardedRequest.ts'
import type { ProbeOptions, ProbeResult } from '../../probe.ts'

/**
 * Asks for a page, follows where it leads, and reads no more than the status: 2xx and 3xx are good. Self-signed and
 * outdated certificates are taken, as monitored machines of the real server do; when one runs out is told apart.
 */
export async function probeHttp(url: string, options: ProbeOptions): Promise<ProbeResult> {
  const begin = performance.now()
  const { code, text, certificate } = await guardedRequest(
    { url, method: 'GET', headers: () => ({}), verifyTls: false },
    options,
  )
  const delay = performance.now() - begin
  const seen = certificate && { certificate }
  return code >= 200 && code < 400 ? { outcome: 'up', delay, ...seen } : { outcome: 'down', problem: text, ...seen }
}
