import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds in which a connection must have begun to speak. */
const silentMs = 10_000

/** How HTTP/2 without TLS begins (RFC 9113, 3.4): `PRI * HTTP/2.0`. No method of HTTP/1.1 begins so. */
const http2Start = 'PRI'

/**
 * Lets a server accept connections of HTTP/2 beside its own HTTP/1.1, told apart by their first bytes.
 * @param acceptHttp2 gets those of HTTP/2, with the bytes that were read put back
 */
export function sniffProtocol(server: Server, acceptHttp2: (socket: Socket) => void): void {
  const acceptHttp1 = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const end = () => socket.destroy()
    const silence = setTimeout(end, silentMs)
    let start = Buffer.alloc(0)

    function sniff(): void {
      start = Buffer.concat([start, (socket.read() as Buffer | null) ?? Buffer.alloc(0)])
      const text = start.toString('latin1', 0, http2Start.length)
      if (text.length < http2Start.length && http2Start.startsWith(text)) return
      clearTimeout(silence)
      socket.off('readable', sniff)
      socket.off('end', end)
      socket.off('error', end)
      socket.unshift(start)
      if (text === http2Start) acceptHttp2(socket)
      else for (const listener of acceptHttp1) listener.call(server, socket)
    }

    socket.on('readable', sniff)
    socket.on('end', end)
    // A reset before the first byte; 'close' follows.
    socket.on('error', end)
    socket.on('close', () => clearTimeout(silence))
  })
}
