import { guardedRequest } from '../../../../outbound/guardedRequest.ts'
import type { ProbeOptions, ProbeResult } from '../../probe.ts'

/**
 * Requests a URL and follows redirects: status 2xx and 3xx mean up, and the body is not read. Invalid certificates are
 * accepted, as by real agents; the certificate is part of the result.
 */
export async function probeHttp(url: string, options: ProbeOptions): Promise<ProbeResult> {
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
