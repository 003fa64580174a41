import { createServer as createWeb } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { WebSocketServer } from 'ws'

/** What the server under watch looks at and calls, all on this machine. */
export interface Places {
  webPort: number
  /** Always there. */
  tcpPort: number
  /** Comes and goes. */
  shakyPort: number
  shake(isUp: boolean): Promise<void>
  /** How many calls came by path: `/notify`, `/ddns`. */
  calls(path: string): number
  /** Opens so many connections that say nothing, or closes them. */
  crowd(count: number): Promise<void>
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

export async function openPlaces(): Promise<Places> {
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
  const steady = silent()
  const tcpPort = await listening(steady)
  let shaky: Server | undefined = silent()
  const shakyPort = await listening(shaky)
  let crowd: Socket[] = []

  return {
    ...{ webPort, tcpPort, shakyPort },
    calls: (path) => counts.get(path) ?? 0,
    async shake(isUp) {
      if (isUp === Boolean(shaky)) return
      if (!isUp) {
        shaky?.close()
        shaky = undefined
        return
      }
      shaky = silent()
      await listening(shaky, shakyPort)
    },
    async crowd(count) {
      for (const socket of crowd.splice(0)) socket.destroy()
      crowd = Array.from({ length: count }, () => connect({ host: '127.0.0.1', port: tcpPort }).on('error', () => {}))
    },
    close() {
      for (const socket of crowd) socket.destroy()
      for (const server of [steady, shaky, web]) server?.close()
      web.closeAllConnections()
    },
  }
}
