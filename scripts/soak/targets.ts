import { createServer as createWeb } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { WebSocketServer } from 'ws'

/** What the server under test checks and calls, all on this machine. */
export interface Targets {
  webPort: number
  /** Always there. */
  tcpPort: number
  /** Listens only while `setUnstable` says so. */
  unstablePort: number
  setUnstable(isUp: boolean): Promise<void>
  /** How many calls came by path: `/notify`, `/ddns`. */
  calls(path: string): number
  /** Opens this many idle connections and closes those from before. */
  openConnections(count: number): Promise<void>
  close(): void
}

const listening = async (server: Server, port = 0): Promise<number> => {
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

const silent = () =>
  createServer((socket) => {
    socket.on('error', () => {})
    socket.resume()
  })

/** Bytes of `/big`. */
export const bigBytes = 5_000_000
const big = Buffer.alloc(bigBytes, 'x')

export async function startTargets(): Promise<Targets> {
  const counts = new Map<string, number>()
  const web = createWeb((request, reply) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    counts.set(path, (counts.get(path) ?? 0) + 1)
    if (path === '/big') reply.end(big)
    else if (path === '/echo') request.pipe(reply)
    else request.resume().on('end', () => reply.end('ok'))
  })
  new WebSocketServer({ server: web }).on('connection', (socket) => {
    socket.on('error', () => {})
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
  })
  const webPort = await listening(web)
  const stable = silent()
  const tcpPort = await listening(stable)
  let unstable: Server | undefined = silent()
  const unstablePort = await listening(unstable)
  let connections: Socket[] = []

  return {
    webPort,
    tcpPort,
    unstablePort,
    calls: (path) => counts.get(path) ?? 0,
    async setUnstable(isUp) {
      if (isUp === Boolean(unstable)) return
      if (!isUp) {
        unstable?.close()
        unstable = undefined
        return
      }
      unstable = silent()
      await listening(unstable, unstablePort)
    },
    async openConnections(count) {
      for (const socket of connections.splice(0)) socket.destroy()
      connections = Array.from({ length: count }, () =>
        connect({ host: '127.0.0.1', port: tcpPort }).on('error', () => {}),
      )
    },
    close() {
      for (const socket of connections) socket.destroy()
      for (const server of [stable, unstable, web]) server?.close()
      web.closeAllConnections()
    },
  }
}
