import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  connect,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { openLink } from '../../cluster/nodeLinks.ts'
import { closeWhenSent, dropIfClosed, isClosed } from '../../http2Stream.ts'

/** Passes streams of HTTP/2 on to the leader as they are: sessions of agents, and requests of people behind a proxy. */
export interface StreamPasser {
  /** The parameters are those of the event `stream`. */
  pass(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number): void
  close(): void
}

interface StreamPasserOptions {
  key: Buffer
  leaderAddress(): string | undefined
}

/** Connections to the leader, one for each connection with such streams; the leader ends those without one. */
const maxSessions = 4096

export function createStreamPasser({ key, leaderAddress }: StreamPasserOptions): StreamPasser {
  const sessions = new Map<ServerHttp2Session, ClientHttp2Session>()

  function sessionFor(near: ServerHttp2Session): ClientHttp2Session | undefined {
    const known = sessions.get(near)
    if (known && !known.closed && !known.destroyed) return known
    const address = leaderAddress()
    if (!address || sessions.size >= maxSessions) return undefined
    const { remoteAddress, remotePort } = near.socket
    const isDecrypted = (near.socket as TLSSocket).encrypted === true
    const session = connect('http://leader', {
      createConnection: () => openLink(address, key, { remoteAddress, remotePort, isDecrypted }),
      maxSessionMemory: 64,
      settings: { enablePush: false, initialWindowSize: 1024 * 1024 },
    })
    sessions.set(near, session)
    // Its streams end; 'close' follows.
    session.on('error', () => {})
    session.once('close', () => {
      if (sessions.get(near) === session) sessions.delete(near)
    })
    near.once('close', () => session.destroy())
    return session
  }

  return {
    pass(stream, headers, flags) {
      const near = stream.session as ServerHttp2Session | undefined
      const session = near && sessionFor(near)
      if (session) join(stream, session.request({ ...headers }, { endStream: hasEnded(flags) }))
      // The client may try again elsewhere.
      else stream.close(constants.NGHTTP2_REFUSED_STREAM)
    },
    close() {
      for (const session of sessions.values()) session.destroy()
    },
  }
}

const hasEnded = (flags: number) => (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0

function join(near: ServerHttp2Stream, far: ClientHttp2Stream): void {
  let trailers: IncomingHttpHeaders = {}
  // A reset, or a lost connection; 'close' follows.
  far.on('error', () => {})
  far.on('response', (headers, flags) => {
    if (dropIfClosed(near)) return
    // One that ends with its headers has no trailers behind them.
    if (hasEnded(flags)) near.respond(headers, { endStream: true })
    else near.respond(headers, { waitForTrailers: true })
  })
  far.on('trailers', (given) => {
    trailers = given
  })
  near.on('wantTrailers', () => near.sendTrailers(trailers))
  far.on('data', (chunk: Buffer) => {
    if (!isClosed(near) && !near.write(chunk)) far.pause()
  })
  near.on('drain', () => far.resume())
  far.on('end', () => {
    if (!isClosed(near)) near.end()
  })
  near.on('data', (chunk: Buffer) => {
    if (!far.destroyed && !far.write(chunk)) near.pause()
  })
  far.on('drain', () => near.resume())
  near.on('end', () => far.end())
  far.once('close', () => {
    if (isClosed(near)) return
    if (far.rstCode === constants.NGHTTP2_NO_ERROR && near.headersSent) closeWhenSent(near)
    else near.close(far.rstCode || constants.NGHTTP2_INTERNAL_ERROR)
  })
  near.once('close', () => far.close(near.rstCode))
}
