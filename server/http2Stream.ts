import type { ServerHttp2Stream } from 'node:http2'

/**
 * Drops what is left of a stream that has been closed, which cannot be answered any more: Node throws. To be asked by
 * everything that answers one, at the moment when it answers: a client that resets its stream without an error
 * (RST_STREAM with NO_ERROR) before its body has ended leaves it closed without being destroyed, even before anybody
 * hears of it.
 * @returns whether it was closed
 */
export function dropIfClosed(stream: ServerHttp2Stream): boolean {
  const isClosed = stream.closed || stream.destroyed
  if (isClosed) stream.destroy()
  return isClosed
}
