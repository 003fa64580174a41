let closedPort: MessagePort | undefined

/**
 * Frees the memory of bytes at once; they cannot be read afterwards. Left to the garbage collector, the chunks of a fast
 * transfer grow to hundreds of megabytes. Transferring them to a port whose other end is closed really frees them:
 * `transfer(0)` only hides them from the collector's count, in Chromium until the page is left.
 */
export function releaseBuffer({ buffer }: Uint8Array<ArrayBuffer>): void {
  closedPort ??= createClosedPort()
  closedPort.postMessage(undefined, [buffer])
}

function createClosedPort(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  return port1
}
