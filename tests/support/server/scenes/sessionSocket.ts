import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

/**
 * Opens the socket of a session; it is closed when the test is over.
 * @param address `http://127.0.0.1:<port>`
 * @param onMessage hears everything from the first message on
 */
export async function openSessionSocket(
  address: string,
  path: `${'file' | 'terminal'}/${string}`,
  headers: Record<string, string>,
  onMessage: (data: Buffer, isBinary: boolean) => void,
): Promise<{ socket: WebSocket; closed: Promise<number> }> {
  const url = `${address.replace('http', 'ws')}/api/v1/ws/${path}`
  const socket = new WebSocket(url, { headers, perMessageDeflate: false })
  socket.on('message', (data, isBinary) => onMessage(data as Buffer, isBinary))
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  onTestFinished(() => socket.terminate())
  return { socket, closed }
}
