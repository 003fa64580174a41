import type { ServerHttp2Stream } from 'node:http2'

/**
 * Drops what is left of a stream that has been closed, which cannot be answered any more: Node throws. To be asked by
 * everything that answers one, at the moment when it answers: a client that resets its stream without an error
 * (RST_STREAM with NO_ERROR) before its body has ended leaves it closed without being destroyed, even before anybody
 * hears of it.
 * @returns whether it was closed
 */
export function dropIfClosed(stream: ServerHttp2Stream): boolean {
  const cannotBeAnswered = isClosed(stream)
  if (cannotBeAnswered) stream.destroy()
  return cannotBeAnswered
}

/** Whether a stream has been closed by either side: see `dropIfClosed`. */
export const isClosed = (stream: ServerHttp2Stream): boolean => stream.closed || stream.destroyed

/**
 * Closes a stream without an error, once all that was written before `end()` has been sent. To be called in place of
 * `stream.close()`: a stream that waits for that when its connection is lost is forgotten by Node and not by nghttp2
 * below it, which asks for the rest again and again when another stream of the connection is reset. That loop has no end.
 */
export function closeWhenSent(stream: ServerHttp2Stream): void {
  if (!stream.writableEnded || stream.writableFinished) stream.close()
  else stream.once('finish', () => stream.close())
}
