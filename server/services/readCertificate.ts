import type { Certificate } from '../machines/hosts/probe.ts'
import { guardedRequest } from '../outbound/guardedRequest.ts'
import type { TargetRules } from '../outbound/resolveTarget.ts'

const timeoutMs = 10_000

/**
 * Looks at the certificate of a page from this server, because agents do not report it
 * (docs/contract/AGENT.md#7-probes-and-commands-m). `undefined` where this server cannot or must not reach the page, as
 * in the network of an agent.
 * @param url begins with `https:`; redirects are followed, as by this machine's checks
 */
export async function readCertificate(url: string, rules: TargetRules): Promise<Certificate | undefined> {
  try {
    const request = { url, method: 'GET', headers: () => ({}), verifyTls: false } as const
    return (await guardedRequest(request, { ...rules, timeoutMs })).certificate
  } catch {
    // Why the page cannot be reached is the result of the checks, not of this.
    return undefined
  }
}
