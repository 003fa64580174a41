let nowhere: MessagePort | undefined

/**
 * Gives the memory of bytes back at once; they are gone afterwards. Left to the collector, the chunks of a fast line
 * pile up to hundreds of megabytes. Sending them to a port that nobody holds is the way that really frees them:
 * `transfer(0)` only hides them from the collector's count, in Chromium until the page is left.
 */
export function releaseBuffer({ buffer }: Uint8Array<ArrayBuffer>): void {
  nowhere ??= deadEnd()
  nowhere.postMessage(undefined, [buffer])
}

function deadEnd(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  return port1
}
