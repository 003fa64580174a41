import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls'
import { ClosedWithoutReplyError } from './failureReason.ts'
import { untilAborted } from './untilAborted.ts'

export interface TlsOptions {
  /** A name or an address, IPv6 without brackets: what the certificate must be for. */
  host: string
  /** Whether the certificate must be valid. */
  verify: boolean
  /** The protocols to choose from. */
  alpn?: readonly string[]
  /** In PEM: authorities that are trusted in place of the usual ones. */
  ca?: string
  /** In PEM: the certificate of this side, and its key. */
  cert?: string
  key?: string
  /** Is given the certificates of the other side, also those that are not accepted. */
  peers?: Peers
  /** As what they are noted. Default: the host. */
  address?: string
}

/** The certificate is not accepted. */
export class UntrustedCertificateError extends Error {
  readonly code: string

  constructor(code: string) {
    super('the certificate is not accepted')
    this.code = code
  }
}

function begin(stream: Duplex, { host, alpn, ca, cert, key }: TlsOptions): TLSSocket {
  try {
    return connect({
      socket: stream,
      host,
      // Judged later: the certificate is wanted in any case.
      rejectUnauthorized: false,
      ...(isIP(host) === 0 && { servername: host }),
      ...(alpn && { ALPNProtocols: [...alpn] }),
      ...(ca && { ca }),
      ...(cert && key && { cert, key }),
    })
  } catch (error) {
    // A certificate or key that cannot be read.
    stream.destroy()
    throw error
  }
}

/**
 * Begins TLS over a connection.
 * @param signal closes the connection, also later
 * @throws UntrustedCertificateError, before anything was sent; an error of the connection; the reason of `signal`
 */
export async function openTls(stream: Duplex, options: TlsOptions, signal: AbortSignal): Promise<TLSSocket> {
  const socket = begin(stream, options)
  const close = () => void socket.destroy()
  signal.addEventListener('abort', close, { once: true })
  socket.once('close', () => {
    signal.removeEventListener('abort', close)
    stream.destroy()
  })
  try {
    const secure = new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve)
      socket.on('error', reject)
      stream.on('error', reject)
      socket.once('close', () => reject(new ClosedWithoutReplyError()))
    })
    await untilAborted(secure, signal)
  } catch (error) {
    close()
    throw error
  }
  if (options.peers) notePeer(options.peers, options.address ?? options.host, socket)
  if (!options.verify || socket.authorized) return socket
  close()
  throw new UntrustedCertificateError(String(socket.authorizationError))
}

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
 * Notes the certificates of a connection; a closed one has none, and one whose end cannot be read counts as none.
 * @param address `host:port`, or the name of the host
 */
function notePeer(peers: Peers, address: string, socket: TLSSocket): void {
  const first = socket.getPeerCertificate(true) as DetailedPeerCertificate | null
  const expiresAt = first ? endOf(first) : undefined
  if (!first || expiresAt === undefined) return
  const own = { issuer: textOf(first.issuer?.O ?? first.issuer?.CN), expiresAt }
  const chain: ChainLink[] = []
  let certificate: DetailedPeerCertificate | undefined = first
  for (let links = 0; certificate?.subject && links < most.links; links++) {
    const { subject, issuer } = certificate
    const above: DetailedPeerCertificate | undefined = certificate.issuerCertificate
    const linkEnd = endOf(certificate)
    if (linkEnd !== undefined) {
      chain.push({ host: address, subject: nameOf(subject), issuer: nameOf(issuer), expiresAt: linkEnd })
    }
    certificate = above === certificate ? undefined : above
  }
  peers.set(address, { certificate: own, chain })
}

/** When a certificate expires. OpenSSL passes on dates that are none, as of a thirteenth month: `undefined`. */
function endOf({ valid_to }: DetailedPeerCertificate): number | undefined {
  const at = Date.parse(valid_to)
  return Number.isNaN(at) ? undefined : at
}

const textOf = (name: unknown) => [name ?? ''].flat().join(', ').slice(0, most.name)
const nameOf = (names: { CN?: unknown; O?: unknown } = {}) => textOf(names.CN ?? names.O)

/** A host that only redirects has a certificate, too: whoever cannot reach it does not reach the page. */
export const firstToExpire = (peers: Peers): PeerCertificate | undefined =>
  [...peers.values()]
    .map(({ certificate }) => certificate)
    .reduce<PeerCertificate | undefined>(
      (first, one) => (first && first.expiresAt <= one.expiresAt ? first : one),
      undefined,
    )
