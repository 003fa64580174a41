import type { Socket } from 'node:net'

interface SniffOptions {
  /** The beginnings that are told apart, in Latin-1. */
  expected: readonly string[]
  /** Milliseconds after which a connection that has sent nothing, or too little to tell, is ended. */
  timeoutMs: number
  /** Whether enough has been read. Default: when the beginnings can be told apart. */
  isEnough?(read: Buffer): boolean
}

/** Bytes that are read at most. */
const mostBytes = 32 * 1024

/**
 * Reads the first bytes of a connection and puts them back.
 * @param onStart gets the expected beginning that it has, '' for none of them, and what has been read
 */
export function sniffStart(
  socket: Socket,
  { expected, timeoutMs, isEnough = () => true }: SniffOptions,
  onStart: (start: string, read: Buffer) => void,
): void {
  const end = () => socket.destroy()
  const silence = setTimeout(end, timeoutMs)
  // No listener stays: each would be kept for as long as the connection lives, with what has been read.
  const stopWaiting = () => clearTimeout(silence)
  const longest = Math.max(...expected.map((text) => text.length))
  let read = Buffer.alloc(0)

  function sniff(): void {
    read = Buffer.concat([read, (socket.read() as Buffer | null) ?? Buffer.alloc(0)])
    const text = read.toString('latin1', 0, longest)
    const found = expected.find((one) => text.startsWith(one))
    const isTooShort = expected.some((one) => one.length > text.length && one.startsWith(text))
    if (found === undefined && isTooShort) return
    if (read.length < mostBytes && !isEnough(read)) return
    stopWaiting()
    socket.off('close', stopWaiting)
    socket.off('readable', sniff)
    socket.off('end', end)
    socket.off('error', end)
    socket.unshift(read)
    onStart(found ?? '', read)
  }

  socket.on('readable', sniff)
  socket.on('end', end)
  // A reset before the first byte; 'close' follows.
  socket.on('error', end)
  socket.on('close', stopWaiting)
}
