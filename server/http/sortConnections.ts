import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from 'node:tls'
import { offeredProtocols, sniffStart } from './sniffStart.ts'
import type { TlsCertificate } from './tlsCertificate.ts'

/** Milliseconds in which a connection must have begun to speak, and in which TLS must have been agreed on. */
const silentMs = 10_000

/** How HTTP/2 begins (RFC 9113, 3.4): `PRI * HTTP/2.0`. No method of HTTP/1.1 begins so. */
const http2Start = 'PRI'
/** The type of the first record of TLS. */
const tlsStart = '\x16'

export interface SortedConnections {
  /** New connections get this certificate. */
  setCertificate(certificate: TlsCertificate): void
  /** Ends those that have not said yet which protocol they speak. */
  endSilent(): void
}

interface SortOptions {
  /**
   * Gets the connections of HTTP/2, with the bytes that were read put back.
   * @param tcp the connection as the server got it: the same one, or the one below TLS
   */
  acceptHttp2(socket: Socket, tcp: Socket): void
  /**
   * Whether a client over TLS that offers both gets HTTP/2. Agents offer nothing else, and always get it.
   * @param name what the client wants to reach; undefined for an IP address
   */
  prefersHttp2(name: string | undefined): boolean
  /** Does work for an agent when its turn comes. */
  inTurn(work: () => void): void
  /** With it nothing is answered without TLS, except by sending browsers to https. */
  certificate?: TlsCertificate
}

/** Lets an HTTP/1.1 server accept connections of HTTP/2 and of TLS on its port, told apart by their first bytes. */
export function sortConnections(
  server: Server,
  { acceptHttp2, prefersHttp2, inTurn, certificate }: SortOptions,
): SortedConnections {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  /** By their other end, which the sockets of TLS and of TCP below have in common. */
  const silent = new Map<string, Socket>()

  function acceptHttp1(socket: Socket): void {
    for (const listener of listeners) listener.call(server, socket)
  }

  function sniff(socket: Socket, accept: (start: string, read: Buffer) => void): void {
    const peer = peerOf(socket)
    silent.set(peer, socket)
    const forget = () => void silent.delete(peer)
    socket.once('close', forget)
    sniffStart(socket, { expected: [http2Start, tlsStart], timeoutMs: silentMs }, (start, read) => {
      forget()
      // Until TLS is agreed on, it is silent again.
      if (start !== tlsStart) socket.off('close', forget)
      accept(start, read)
    })
  }

  function acceptPlain(socket: Socket, tcp: Socket, start: string): void {
    if (start === http2Start) acceptHttp2(socket, tcp)
    else acceptHttp1(socket)
  }

  function acceptTls(socket: TLSSocket): void {
    const peer = peerOf(socket)
    const tcp = silent.get(peer) ?? socket
    silent.delete(peer)
    if (socket.alpnProtocol === 'http/1.1') acceptHttp1(socket)
    else if (socket.alpnProtocol === 'h2') acceptHttp2(socket, tcp)
    else {
      sniff(socket, (start) => {
        // Node refuses HTTP/2 on a connection where nothing was agreed on.
        if (start === http2Start) socket.alpnProtocol = 'h2'
        acceptPlain(socket, tcp, start)
      })
    }
  }

  function beginInTurn(tls: TlsServer, socket: Socket): void {
    // Errors while it waits; 'close' follows.
    const ignore = () => {}
    socket.on('error', ignore)
    inTurn(() => {
      socket.off('error', ignore)
      if (!socket.destroyed) tls.emit('connection', socket)
    })
  }

  const tls = certificate && createTls(certificate, { accept: acceptTls, prefersHttp2 })
  const redirect = certificate && createRedirect()

  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    sniff(socket, (start, read) => {
      // Another node of the cluster may have ended TLS for its visitor.
      if (!tls || (socket as TLSSocket).encrypted) acceptPlain(socket, socket, start)
      else if (start === tlsStart) {
        silent.set(peerOf(socket), socket)
        // Browsers offer HTTP/1.1 as well. Agreeing on keys costs a millisecond, and thousands of agents come at once.
        if (offeredProtocols(read).join() === 'h2') beginInTurn(tls, socket)
        else tls.emit('connection', socket)
      } else if (start === http2Start) socket.destroy()
      else redirect?.emit('connection', socket)
    })
  })

  return {
    setCertificate: (next) => tls?.setSecureContext(next),
    endSilent() {
      for (const socket of silent.values()) socket.destroy()
      redirect?.closeAllConnections()
    },
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

interface TlsOptions extends Pick<SortOptions, 'prefersHttp2'> {
  accept(socket: TLSSocket): void
}

function createTls(certificate: TlsCertificate, { accept, prefersHttp2 }: TlsOptions): TlsServer {
  const server = createTlsServer({
    ...certificate,
    handshakeTimeout: silentMs,
    ALPNCallback({ servername, protocols }) {
      const ours = prefersHttp2(servername || undefined) ? ['h2', 'http/1.1'] : ['http/1.1', 'h2']
      return ours.find((protocol) => protocols.includes(protocol))
    },
  })
  server.on('secureConnection', accept)
  // Scanners, and clients that do not trust the certificate; the connection is ended by itself.
  server.on('tlsClientError', () => {})
  return server
}

/** Sends browsers to https: people type a name and a port without a scheme. */
function createRedirect(): Server {
  const server = createServer({ headersTimeout: silentMs, requestTimeout: silentMs }, (request, response) => {
    const { host = '' } = request.headers
    const location = `https://${host}${request.url}`
    response.setHeader('connection', 'close')
    if (/^[\w.:[\]-]+$/.test(host) && URL.canParse(location)) response.writeHead(308, { location }).end()
    else response.writeHead(400, { 'content-type': 'text/plain' }).end('This port speaks https.\n')
  })
  return server
}
