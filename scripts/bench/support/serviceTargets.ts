import { createServer as createSite } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { parentPort } from 'node:worker_threads'

/** Ports of 127.0.0.1. */
export interface Targets {
  open: number[]
  page: number
  /** Takes requests and never answers. */
  silent: number
}

const listen = (server: Server) =>
  new Promise<number>((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => resolve((server.address() as AddressInfo).port))
  })

const open = () => listen(createServer((socket) => socket.on('error', () => {}).pipe(socket)))

const answer = JSON.stringify({ state: 'all is well', queue: { waiting: 3 } })

/** The targets of services, in a thread of their own. */
parentPort?.postMessage({
  open: await Promise.all(Array.from({ length: 20 }, open)),
  page: await listen(createSite((_request, reply) => reply.end(answer))),
  silent: await listen(createSite(() => {})),
} satisfies Targets)
