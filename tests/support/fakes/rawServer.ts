import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A server on this machine that does with its connections what a test says; it ends with the test. */
export async function startRawServer(
  onConnection: (socket: Socket) => void,
): Promise<{ port: number; open: ReadonlySet<Socket> }> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    onConnection(socket)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, open }
}

/**
 * A port of this machine that refuses connections, until the end of the test. A port where somebody has listened may be
 * given to another process; this is the one from which a connection comes.
 */
export async function closedPort(): Promise<number> {
  const { port } = await startRawServer(() => {})
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket.localPort ?? 0
}
