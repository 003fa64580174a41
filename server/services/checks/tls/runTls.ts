import { checkServerIdentity, type TLSSocket } from 'node:tls'
import type { CheckRule } from '../../../../src/schemas/endpoints/checkEndpoints.ts'
import { parseTarget } from '../../../machines/hosts/host.ts'
import { type ChainLink, openTls } from '../../../outbound/openTls.ts'
import { converse, openConnection, starttls } from '../parts/connection.ts'
import type { Runner } from '../parts/runner.ts'

const dayMs = 86_400_000

/** Begins TLS at a port, and judges the certificate. */
export const runTls: Runner<'tls'> = async (check, target, context) => {
  const { signal, phases, peers } = context
  const { host } = parseTarget(target)
  const { stream } = await openConnection(target, context)
  try {
    if (check.starttls) {
      const talk = converse(stream, signal)
      await starttls[check.starttls](talk)
      talk.release()
    }
    const startedAt = performance.now()
    const options = { host: check.name || host, verify: check.verify_tls, ...(check.ca && { ca: check.ca }) }
    const socket = await openTls(stream, { ...options, peers, address: target }, signal)
    phases.tls = performance.now() - startedAt
    const { certificate, chain = [] } = peers.get(target) ?? {}
    return {
      answer: describe(socket, chain),
      rules: [daysRule(check.days_left, certificate?.expiresAt), ...nameRules(check.name, socket)],
    }
  } finally {
    stream.destroy()
  }
}

function daysRule(days: number, expiresAt = 0): CheckRule {
  const left = Math.floor((expiresAt - Date.now()) / dayMs)
  return { rule: 'days_left', ok: left >= days, expected: String(days), found: String(left) }
}

/** The name is judged also where the rest of the certificate is not. */
function nameRules(name: string, socket: TLSSocket): CheckRule[] {
  if (!name) return []
  const certificate = socket.getPeerCertificate()
  const found = certificate.subjectaltname?.replaceAll('DNS:', '') ?? String(certificate.subject?.CN ?? '')
  return [
    {
      rule: 'name',
      ok: checkServerIdentity(name, certificate) === undefined,
      expected: name,
      found: found.slice(0, 500),
    },
  ]
}

/** The version of TLS, and the certificates. */
const describe = (socket: TLSSocket, chain: readonly ChainLink[]): string =>
  [
    `${socket.getProtocol()} ${socket.getCipher().name}`,
    ...chain.map(
      ({ subject, issuer, expiresAt }) =>
        `${subject} <- ${issuer}, until ${new Date(expiresAt).toISOString().slice(0, 10)}`,
    ),
  ].join('\n')
