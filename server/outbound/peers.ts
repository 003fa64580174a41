import type { DetailedPeerCertificate, TLSSocket } from 'node:tls'

/** The certificate of a host. */
export interface PeerCertificate {
  issuer: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** A certificate of a chain, by the names in it. */
export interface ChainLink extends PeerCertificate {
  /** The address that has sent it. */
  host: string
  subject: string
}

/** What hosts have shown of themselves when TLS began, by their addresses: on the way of redirects they are several. */
export type Peers = Map<string, { certificate: PeerCertificate; chain: readonly ChainLink[] }>

/** Certificates of one host; characters of a name in them. */
const most = { links: 10, name: 200 } as const

/**
 * Notes the certificates of a connection; a closed one has none.
 * @param address `host:port`, or the name of the host
 */
export function notePeer(peers: Peers, address: string, socket: TLSSocket): void {
  const first = socket.getPeerCertificate(true) as DetailedPeerCertificate | null
  if (!first?.valid_to) return
  const { issuer, valid_to } = first
  const own = { issuer: [issuer?.O ?? issuer?.CN ?? ''].flat().join(', '), expiresAt: Date.parse(valid_to) }
  const chain: ChainLink[] = []
  for (let certificate: DetailedPeerCertificate | undefined = first; certificate?.subject; ) {
    chain.push({
      host: address,
      subject: nameOf(certificate.subject),
      issuer: nameOf(certificate.issuer),
      expiresAt: Date.parse(certificate.valid_to),
    })
    const above: DetailedPeerCertificate | undefined = certificate.issuerCertificate
    if (above === certificate || chain.length === most.links) break
    certificate = above
  }
  peers.set(address, { certificate: own, chain })
}

const nameOf = (names: { CN?: unknown; O?: unknown } = {}) =>
  [names.CN ?? names.O ?? ''].flat().join(', ').slice(0, most.name)

/** A host that only redirects has a certificate, too: whoever cannot reach it does not reach the page. */
export const firstToExpire = (peers: Peers): PeerCertificate | undefined =>
  [...peers.values()]
    .map(({ certificate }) => certificate)
    .reduce<PeerCertificate | undefined>(
      (first, one) => (first && first.expiresAt <= one.expiresAt ? first : one),
      undefined,
    )
