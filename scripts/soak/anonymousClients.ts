import { connect, type Socket } from 'node:net'
import type { ServerProcess } from '../../tests/support/server/process/spawnServer.ts'
import type { Api } from './api.ts'
import type { MemorySample } from './memory.ts'
import { readMemory } from './readMemory.ts'
import { pause } from './simulatedUsers.ts'

/** What clients without a session did to a server, and how it was meanwhile for somebody who has signed in. */
export interface AnonymousReport {
  /** How many sockets were opened, by the status of the reply, `101` when they are open: of one address, and of 40. */
  oneAddress: Record<string, number>
  manyAddresses: Record<string, number>
  /** What became of the slow bodies, by the status of the reply; `open` are those that still wait. */
  bodies: Record<string, number>
  /** Milliseconds of a list for somebody who has signed in; `calm` is the slowest before the clients came. */
  list: { calls: number; median: number; slowest: number; calm: number }
  /** MiB, after a collection. */
  memory: { before: MemorySample; meanwhile: MemorySample; after: MemorySample }
  faults: string[]
}

interface AnonymousOptions {
  server: ServerProcess
  api: Api
  /** Milliseconds for which the clients stay. */
  holdMs: number
  onProgress?: (text: string) => void
}

const socketCount = 2000
const bodyCount = 100
const addressCount = 40
/** Sockets that announce a large message, and as many that send pings without reading. */
const abuserCount = 50
const listLimitMs = 300
/** MiB. */
const growthLimit = 50
/** Milliseconds of the calls before the clients come. */
const calmMs = 1000
/** Milliseconds after which the memory of those who have gone has to be free. */
const settleMs = 5000

const count = (statuses: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/**
 * Opens 2,000 sockets of the live stream from one address, then from 40, lets 50 of them announce 8 MiB and 50 send
 * pings without reading, and begins 100 bodies that never end; meanwhile somebody who has signed in asks for a list.
 * Needs Linux, where every address 127.x.y.z is this machine's.
 */
export async function connectAnonymousClients(options: AnonymousOptions): Promise<AnonymousReport> {
  const { server, api, holdMs, onProgress = () => {} } = options
  const port = Number(new URL(server.address).port)
  const faults: string[] = []
  const times: number[] = []
  let isMeasuring = true

  async function askForLists(): Promise<void> {
    while (isMeasuring) {
      const start = performance.now()
      const rows = await api.call<unknown[]>('GET', 'server-group').catch((error: unknown) => String(error))
      if (!Array.isArray(rows)) faults.push(`The list could not be read: ${rows}`)
      times.push(performance.now() - start)
      await pause(100)
    }
  }

  const before = await readMemory(server)
  const asking = askForLists()
  await pause(calmMs)
  const calm = Math.max(...times)
  const clients = createClients(port)

  onProgress(`${socketCount} sockets of one address`)
  const oneAddress = count(await clients.openSockets(socketCount, () => '127.3.0.1'))
  clients.closeAll()
  await pause(1000)
  onProgress(
    `${JSON.stringify(oneAddress)}; ${socketCount} sockets of ${addressCount} addresses, ${bodyCount} slow bodies`,
  )
  const manyAddresses = count(
    await clients.openSockets(socketCount, (at) => `127.3.1.${1 + Math.floor((at * addressCount) / socketCount)}`),
  )
  clients.abuseSockets()
  const bodies = clients.sendSlowBodies(bodyCount)
  await pause(holdMs)
  const whileOpen = count(bodies())
  onProgress(`${JSON.stringify(manyAddresses)}; bodies ${JSON.stringify(whileOpen)}`)
  const stillOpen = clients.liveCount()
  isMeasuring = false
  await asking
  const meanwhile = await readMemory(server)
  clients.closeAll()
  const after = await settledMemory(server, before.rss + growthLimit)

  times.sort((one, other) => one - other)
  const list = {
    calls: times.length,
    median: times[Math.floor(times.length / 2)] ?? 0,
    slowest: times.at(-1) ?? 0,
    calm,
  }
  if (list.slowest >= listLimitMs) faults.push(`A list took ${list.slowest.toFixed(0)} ms, not ${listLimitMs}.`)
  const growth = after.rss - before.rss
  if (growth > growthLimit) faults.push(`Memory grew by ${growth.toFixed(0)} MiB, not ${growthLimit}.`)
  if (stillOpen < socketCount - 2 * abuserCount) faults.push(`Only ${stillOpen} idle sockets were open at the end.`)
  if (stillOpen > socketCount - abuserCount) faults.push('Sockets that announced 8 MiB were not closed.')
  if ((oneAddress['101'] ?? 0) > 100) faults.push(`One address has ${oneAddress['101']} sockets open.`)
  if (!oneAddress['429']) faults.push('No socket of the one address was refused with 429.')
  if ((manyAddresses['101'] ?? 0) < socketCount) faults.push(`Of many addresses only ${manyAddresses['101']} came in.`)
  return { oneAddress, manyAddresses, bodies: whileOpen, list, memory: { before, meanwhile, after }, faults }
}

/** What a server holds as soon as it is no more than `rss`, in MiB, or else in the end. */
async function settledMemory(server: ServerProcess, rss: number): Promise<MemorySample> {
  const end = performance.now() + settleMs
  for (;;) {
    const sample = await readMemory(server)
    if (sample.rss <= rss || performance.now() >= end) return sample
    await pause(500)
  }
}

/** The results, a line for each. */
export function describeAnonymousClients({
  oneAddress,
  manyAddresses,
  bodies,
  list,
  memory,
}: AnonymousReport): string[] {
  return [
    `sockets of one address ${JSON.stringify(oneAddress)}, of ${addressCount} ${JSON.stringify(manyAddresses)}`,
    `slow bodies ${JSON.stringify(bodies)}`,
    `a list for somebody signed in: ${list.calls} calls, median ${list.median.toFixed(0)} ms, slowest ${list.slowest.toFixed(0)} ms (before: ${list.calm.toFixed(0)} ms)`,
    ...Object.entries(memory).map(
      ([when, { rss, inUse }]) => `memory ${when}: rss ${rss.toFixed(0)}, in use ${inUse.toFixed(1)} MiB`,
    ),
  ]
}

/** As a browser does: clients that do not are disconnected. No other byte of a frame here is that of a ping. */
function answerPings(socket: Socket): void {
  const ping = 0x89
  const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
  socket.on('data', (bytes) => {
    if (bytes.includes(ping)) socket.write(pong)
  })
}

function createClients(port: number) {
  const open = new Set<Socket>()
  const timers = new Set<NodeJS.Timeout>()
  const live: Socket[] = []

  /** @returns the socket, and the status of the reply as soon as one has come; `none` when it is closed before */
  function send(head: string, localAddress: string): { socket: Socket; status: Promise<string> } {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    open.add(socket)
    const status = new Promise<string>((resolve) => {
      socket.once('data', (reply) => resolve(reply.toString('latin1', 9, 12)))
      socket.once('close', () => resolve('none'))
    })
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
    socket.write(`${head}\r\nhost: 127.0.0.1:${port}\r\n`)
    return { socket, status }
  }

  async function openSockets(total: number, addressOf: (at: number) => string): Promise<string[]> {
    const statuses: string[] = []
    live.length = 0
    const atOnce = 20
    for (let first = 0; first < total; first += atOnce) {
      const sent = Array.from({ length: Math.min(atOnce, total - first) }, (_, at) => {
        const client = send('GET /api/v1/ws/server HTTP/1.1', addressOf(first + at))
        client.socket.write('connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n')
        client.socket.write(`sec-websocket-key: ${Buffer.alloc(16, 1).toString('base64')}\r\n\r\n`)
        return client
      })
      statuses.push(...(await Promise.all(sent.map(({ status }) => status))))
      for (const { socket } of sent) answerPings(socket)
      live.push(...sent.map(({ socket }) => socket))
    }
    return statuses
  }

  /** Some announce a message of 8 MiB less a byte and send as much of it as is taken; some send pings and do not read. */
  function abuseSockets(): void {
    const masked = 0x80
    const announcement = Buffer.alloc(14)
    announcement.set([0x82, masked | 127])
    announcement.writeBigUInt64BE(BigInt(8 * 1024 * 1024 - 1), 2)
    for (const socket of live.slice(0, abuserCount)) {
      socket.write(announcement)
      socket.write(Buffer.alloc(64 * 1024))
    }
    const ping = Buffer.concat([Buffer.from([0x89, masked | 125]), Buffer.alloc(4 + 125)])
    const pings = Buffer.concat(Array.from({ length: 500 }, () => ping))
    for (const socket of live.slice(abuserCount, 2 * abuserCount)) {
      socket.pause()
      const timer = setInterval(() => {
        if (socket.writable && socket.writableLength === 0) socket.write(pings)
      }, 100)
      timers.add(timer)
    }
  }

  /** @returns what has become of them */
  function sendSlowBodies(total: number): () => string[] {
    const statuses = Array.from({ length: total }, () => 'open')
    const paths = ['POST /api/v1/login', 'POST /api/v1/nope', 'POST /api/v1/server-group']
    for (const at of statuses.keys()) {
      const path = paths[at % paths.length] as string
      const length = path.endsWith('login') ? 4000 : 8 * 1024 * 1024 - 1
      const { socket, status } = send(`${path} HTTP/1.1`, `127.3.2.${1 + (at % 2)}`)
      socket.write(`content-length: ${length}\r\n\r\n{`)
      void status.then((came) => {
        statuses[at] = came
      })
      const timer = setInterval(() => socket.writable && socket.write(' '), 200)
      timers.add(timer)
    }
    return () => [...statuses]
  }

  return {
    openSockets,
    abuseSockets,
    sendSlowBodies,
    /** How many sockets of the live stream are open. */
    liveCount: () => live.filter((socket) => open.has(socket)).length,
    closeAll() {
      for (const timer of timers) clearInterval(timer)
      timers.clear()
      for (const socket of open) socket.destroy()
    },
  }
}
