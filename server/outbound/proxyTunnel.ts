import type { Duplex } from 'node:stream'
import { ClosedWithoutReplyError } from './failureReason.ts'
import { untilAborted } from './untilAborted.ts'

/** A proxy has answered something else than that it has connected. */
export class ProxyRefusedError extends Error {
  readonly code = 'ERR_PROXY_REFUSED'
}

/** Bytes of a proxy's answer. */
const maxHead = 16 * 1024

/**
 * Has an HTTP proxy connect further, by CONNECT. Closes the connection when it does not.
 * @param stream a connection to the proxy, which then leads to the target
 * @param target `host:port`
 * @throws ProxyRefusedError, an error of the connection, or the reason of `signal`
 */
export async function openProxyTunnel(stream: Duplex, target: string, signal: AbortSignal): Promise<void> {
  stream.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`)
  try {
    const head = await untilAborted(readHead(stream), signal)
    if (!/^HTTP\/1\.\d 2\d\d/.test(head)) throw new ProxyRefusedError(head.split('\r\n')[0])
  } catch (error) {
    stream.destroy()
    throw error
  }
}

/** The head of an answer; what comes behind it stays in the stream. */
function readHead(stream: Duplex): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0)
    const closed = () => reject(new ClosedWithoutReplyError())
    function stop() {
      stream.off('readable', read)
      stream.off('error', reject)
      stream.off('end', closed)
    }
    function read() {
      for (let part: Buffer | null = stream.read(); part !== null; part = stream.read()) {
        head = Buffer.concat([head, part])
        const end = head.indexOf('\r\n\r\n')
        if (end < 0 && head.length < maxHead) continue
        stop()
        if (end < 0) return reject(new ProxyRefusedError())
        if (head.length > end + 4) stream.unshift(head.subarray(end + 4))
        return resolve(head.subarray(0, end).toString('latin1'))
      }
    }
    stream.on('readable', read)
    stream.once('error', reject)
    stream.once('end', closed)
  })
}
