import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'

/** Something that can be reached on this machine. @returns it, and `host:port` */
export async function startListener(): Promise<[Server, string]> {
  const listener = createServer((socket) => socket.end())
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  return [listener, `127.0.0.1:${(listener.address() as AddressInfo).port}`]
}
