import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { addressGroup } from '../../auth/addresses/clientAddress.ts'
import { openLink } from '../../cluster/nodeLinks.ts'
import { createOpenCounter } from '../../http/openCounter.ts'
import { closeWhenSent, dropIfClosed, isClosed } from '../../http2Stream.ts'

/** Passes streams of HTTP/2 on to the leader as they are: sessions of agents, and requests of people behind a proxy. */
export interface StreamPasser {
  /** The parameters are those of the event `stream`. */
  pass(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number): void
}

interface StreamPasserOptions {
  key: Buffer
  leaderAddress(): string | undefined
  /** Whether the leader has let in a call of an agent on this connection. */
  isKnown(near: ServerHttp2Session): boolean
  limits?: Partial<typeof defaultLimits>
}

/**
 * Connections to the leader, one for each connection with such streams; the leader ends those without one. Of them, those
 * of one address (IPv6: of a /64 network) by connections on which no agent reports: strangers must leave room for others.
 */
const defaultLimits = { links: 4096, ofAddress: 1024 }

export function createStreamPasser(options: StreamPasserOptions): StreamPasser {
  const { key, leaderAddress, isKnown } = options
  const limits = { ...defaultLimits, ...options.limits }
  const links = new Map<ServerHttp2Session, FarSession>()
  const strangers = createOpenCounter({ perKey: limits.ofAddress, total: limits.links })

  /** With its link, a connection of somebody whom the leader does not know loses what it is kept for. */
  function endStranger(near: ServerHttp2Session): void {
    if (near.destroyed || isKnown(near)) return
    if (!near.closed) near.close()
    setTimeout(() => near.destroy(), 2 * endingMs)
  }

  /** Calls back when streams can be opened; never when that fails, and then the connection ends with its streams. */
  function whenReady(near: ServerHttp2Session, onReady: (session: ClientHttp2Session) => void): boolean {
    const known = links.get(near)
    if (known?.session && !known.session.closed && !known.session.destroyed) {
      onReady(known.session)
      return true
    }
    if (known && !known.session) {
      known.waiting.push(onReady)
      return true
    }
    const address = leaderAddress()
    if (!address || links.size >= limits.links) return false
    const { remoteAddress, remotePort } = near.socket
    const leave = isKnown(near) ? () => {} : strangers.add(addressGroup(remoteAddress ?? ''))
    if (typeof leave === 'string') return false
    const isDecrypted = near.encrypted === true
    const far: FarSession = { session: undefined, waiting: [onReady] }
    links.set(near, far)
    // Node ends the process when a session of HTTP/2 writes to a TLS socket that has something of its own to write.
    const socket = openLink(address, key, { remoteAddress, remotePort, isDecrypted }, () => {
      far.session = connect('http://leader', {
        createConnection: () => socket,
        maxSessionMemory: 64,
        settings: { enablePush: false, initialWindowSize: 1024 * 1024 },
      })
      // Its streams end; 'close' follows.
      far.session.on('error', () => {})
      for (const open of far.waiting.splice(0)) open(far.session)
    })
    const end = () => void socket.destroy()
    socket.on('error', end)
    socket.once('close', () => {
      near.off('close', end)
      if (links.get(near) === far) links.delete(near)
      leave()
      // The client may try again elsewhere.
      if (!far.session) near.destroy()
      else endStranger(near)
    })
    near.once('close', end)
    return true
  }

  return {
    pass(stream, headers, flags) {
      const near = stream.session as ServerHttp2Session | undefined
      const isPassed =
        near &&
        whenReady(near, (session) => {
          if (dropIfClosed(stream)) return
          const far = request(session, headers, flags)
          if (far) join(stream, far)
          else stream.close(constants.NGHTTP2_PROTOCOL_ERROR)
        })
      if (isPassed) return
      stream.close(constants.NGHTTP2_REFUSED_STREAM)
      if (near) endStranger(near)
    },
  }
}

interface FarSession {
  /** `undefined` while the link to the leader is being made. */
  session: ClientHttp2Session | undefined
  waiting: ((session: ClientHttp2Session) => void)[]
}

/** Milliseconds for a client to end its side of a stream that has ended at the leader. */
const endingMs = 1000

const hasEnded = (flags: number) => (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0

/** @returns `undefined` for headers that Node takes from a client and sends to no server, such as `http2-settings` */
function request(session: ClientHttp2Session, headers: IncomingHttpHeaders, flags: number) {
  try {
    return session.request({ ...headers }, { endStream: hasEnded(flags) })
  } catch {
    return undefined
  }
}

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
    if (far.rstCode !== constants.NGHTTP2_NO_ERROR || !near.headersSent)
      near.close(far.rstCode || constants.NGHTTP2_INTERNAL_ERROR)
    // Its last frames and trailers come first; then a client that does not end its side is not waited for.
    else setTimeout(() => isClosed(near) || closeWhenSent(near), endingMs)
  })
  near.once('close', () => far.close(near.rstCode))
}
