import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import { resolveTarget, type TargetRules } from './dial.ts'

/** Milliseconds after which a datagram is sent again: it, or its answer, may have been lost. */
const repeatMs = 2000

/**
 * Sends a datagram from this server, and waits for an answer from the same address.
 * @param isAnswer whether what came is the answer to it
 * @throws TargetNotAllowedError, an error of the socket, or the reason of `signal`
 */
export async function exchangeDatagram(
  host: string,
  port: number,
  bytes: Uint8Array,
  { signal, isAnswer, ...rules }: TargetRules & { signal: AbortSignal; isAnswer: (bytes: Buffer) => boolean },
): Promise<Buffer> {
  const [address] = await resolveTarget(host, { ...rules, signal }, 'target')
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
  let timer: NodeJS.Timeout | undefined
  let abort = () => {}
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      if (signal.aborted) abort()
      socket.on('error', reject)
      socket.on('message', (answer) => {
        if (isAnswer(answer)) resolve(answer)
      })
      // A connected socket takes answers from nobody else.
      socket.connect(port, address, () => {
        const send = () => socket.send(bytes, (error) => error && reject(error))
        send()
        timer = setInterval(send, repeatMs)
      })
    })
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', abort)
    socket.close()
  }
}
