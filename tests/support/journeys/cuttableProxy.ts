import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** A network between browser and server that can be cut. */
export interface CuttableProxy {
  /** `http://127.0.0.1:<port>` */
  address: string
  /** Breaks all connections, and refuses new ones until `mend`. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** @param target the server's address */
export async function startCuttableProxy(target: string): Promise<CuttableProxy> {
  const port = Number(new URL(target).port)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(port, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      breakAll()
    },
    mend() {
      isCut = false
    },
    close() {
      breakAll()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
