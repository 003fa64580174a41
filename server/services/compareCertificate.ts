import type { Certificate } from '../machines/hosts/probe.ts'

/** The last certificate of a service on a server. */
export interface SavedCertificate extends Certificate {
  /** How many days before the expiry the last notification was; absent before the first one. */
  warnedDays?: number
}

export type CertificateChange =
  | { kind: 'certificate changed'; certificate: Certificate; previous: Certificate }
  | { kind: 'certificate ends'; certificate: Certificate }

const dayMs = 86_400_000
/** Days before the expiry at which a notification is sent, each once. */
const warningDays = [7, 1, 0]

/** Compares a certificate with the last one, and checks its expiry. @param now milliseconds since 1970 */
export function compareCertificate(
  previous: SavedCertificate | undefined,
  certificate: Certificate,
  now: number,
): { saved: SavedCertificate; changes: CertificateChange[] } {
  const isSame = previous?.expiresAt === certificate.expiresAt && previous.issuer === certificate.issuer
  const changes: CertificateChange[] = []
  if (previous && !isSame) changes.push({ kind: 'certificate changed', certificate, previous })
  const warned = isSame ? previous.warnedDays : undefined
  const due = warningDays.findLast((days) => certificate.expiresAt - now <= days * dayMs)
  const saved: SavedCertificate = { issuer: certificate.issuer, expiresAt: certificate.expiresAt }
  if (due === undefined) return { saved, changes }
  if (warned === undefined || due < warned) changes.push({ kind: 'certificate ends', certificate })
  return { saved: { ...saved, warnedDays: Math.min(due, warned ?? due) }, changes }
}
