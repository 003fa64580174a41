import type { Certificate } from '../machines/hosts/probe.ts'

/** A certificate that was seen, and how many days before its end it was last told that it runs out. */
export interface KnownCertificate extends Certificate {
  /** Absent until the first notice. */
  warnedDays?: number
}

export type CertificateNews =
  | { kind: 'certificate changed'; certificate: Certificate; before: Certificate }
  | { kind: 'certificate ends'; certificate: Certificate }

const dayMs = 86_400_000
/** So many days before the end it is told, each once; 0 is the end. */
const warnings = [7, 1, 0]

/** Compares what a server sees with what it saw before. @param now milliseconds since 1970 */
export function judgeCertificate(
  before: KnownCertificate | undefined,
  certificate: Certificate,
  now: number,
): { known: KnownCertificate; news: CertificateNews[] } {
  const isSame = before?.expiresAt === certificate.expiresAt && before.issuer === certificate.issuer
  const news: CertificateNews[] = []
  if (before && !isSame) news.push({ kind: 'certificate changed', certificate, before })
  const warned = isSame ? before.warnedDays : undefined
  const due = warnings.findLast((days) => certificate.expiresAt - now <= days * dayMs)
  const known: KnownCertificate = { issuer: certificate.issuer, expiresAt: certificate.expiresAt }
  if (due === undefined) return { known, news }
  if (warned === undefined || due < warned) news.push({ kind: 'certificate ends', certificate })
  return { known: { ...known, warnedDays: Math.min(due, warned ?? due) }, news }
}
