import type { Certificate } from '../machines/hosts/probe.ts'
import type { TargetRules } from '../outbound/dial.ts'
import { guardedRequest } from '../outbound/guardedRequest.ts'

/** A certificate of a service that people know of, or that is about to expire. */
export interface KnownCertificate extends Certificate {
  /** Whether people know that the service has it: they were told, or it is the one that another has replaced. */
  isKnown?: boolean
  /** How many days before the expiry the last notification was; absent before the first one. */
  warnedDays?: number
}

export type CertificateChange =
  | { kind: 'certificate changed'; certificate: Certificate; previous: Certificate }
  | { kind: 'certificate ends'; certificate: Certificate }

const dayMs = 86_400_000
/** Days before the expiry at which a notification is sent, each once. */
const warningDays = [7, 1, 0]
/** Of a service: a name may lead to many machines, each with a certificate of its own. */
const mostKnown = 100

/**
 * Compares a certificate with the last one that the same server has seen, and checks its expiry. Each certificate is told
 * of once, whoever sees it: a name may lead to several machines that have different ones, now one and now another.
 * @param known those of the service so far, by the time at which they were first seen
 * @param now milliseconds since 1970
 */
export function compareCertificate(
  known: readonly KnownCertificate[],
  previous: Certificate | undefined,
  certificate: Certificate,
  now: number,
): { known: readonly KnownCertificate[]; changes: CertificateChange[] } {
  const due = warningDays.findLast((days) => certificate.expiresAt - now <= days * dayMs)
  const before = known.find((one) => isSame(one, certificate))
  const isReplaced = previous !== undefined && !isSame(previous, certificate)
  const isNews = isReplaced && !before?.isKnown
  const isEnd = due !== undefined && (before?.warnedDays === undefined || due < before.warnedDays)
  if (before && !isNews && !isEnd) return { known, changes: [] }
  const { issuer, expiresAt } = certificate
  const next: KnownCertificate = {
    issuer,
    expiresAt,
    ...((isNews || before?.isKnown) && { isKnown: true }),
    ...(due !== undefined && { warnedDays: Math.min(due, before?.warnedDays ?? due) }),
  }
  const others = known
    .filter((one) => one !== before)
    .map((one) => (isNews && isSame(one, previous) ? { ...one, isKnown: true } : one))
  return {
    known: [...others, next].slice(-mostKnown),
    changes: [
      ...(isNews ? [{ kind: 'certificate changed', certificate, previous } as const] : []),
      ...(isEnd ? [{ kind: 'certificate ends', certificate } as const] : []),
    ],
  }
}

const isSame = (one: Certificate, other: Certificate) =>
  one.issuer === other.issuer && one.expiresAt === other.expiresAt

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
