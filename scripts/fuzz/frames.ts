import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type ServerProcess, spawnServer } from '../../tests/support/server/process/spawnServer.ts'
import { signIn } from '../soak/api.ts'
import { readableMemory, readMemory } from '../soak/readMemory.ts'
import { delivered, type FrameCase, randomOf, type Sent } from './frames/frameCase.ts'
import { http1Bytes } from './frames/http1.ts'
import { grpcBytes, http2Bytes } from './frames/http2.ts'
import { upstreamReply, visitorBytes } from './frames/upstream.ts'
import { webSocketBytes } from './frames/webSocket.ts'

export interface FrameFuzzOptions {
  /** The same number gives the same cases. */
  seed: number
  /** The number of the first case, to repeat a part of a run. */
  first?: number
  /** How many cases are sent. */
  count: number
  /** Connections at a time. */
  atOnce?: number
  onProgress?: (sent: number) => void
}

export interface FrameFuzzReport {
  /** How often each kind was sent. */
  kinds: Record<string, number>
  sent: number
  /** How often each status was the first answer, by kind, and `frames` for those of HTTP/2. */
  answers: Record<string, number>
  /** Requests that came to the upstream by way of a forwarded name. */
  forwarded: number
  /** Milliseconds that requests of others waited meanwhile, the shortest first. */
  waits: number[]
  /** MiB that are in use after it, beyond those after the first seconds. */
  growth: { server: number; gateway: number }
  /** What was wrong. */
  faults: string[]
}

/** MiB in use, after a collection. */
const growthAtMost = 40
/** Milliseconds after which a server has loaded and warmed up what it needs. */
const warmUpMs = 5_000
/** Milliseconds: broken connections are ended after ten seconds. */
const settleMs = 12_000
/** Milliseconds that a case waits for an answer: some get none. */
const answerAtMostMs = 500
/** Milliseconds between two requests of others, and after which one counts as never answered: the machine may be busy. */
const probeEveryMs = 50
const probeAtMostMs = 60_000
/**
 * Milliseconds after which no case is sent until the request of somebody else has been answered. Cases leave before they
 * are answered: on a machine with no time for the server they would wait to be accepted by the thousand, and others behind
 * them. A request that gets lost is not answered then either.
 */
const pauseAfterMs = 5_000
/** Milliseconds for a server to end. */
const endAtMostMs = 20_000

const admin = { username: 'admin', password: 'only for the fuzzer' }

/** A server, and a gateway before an upstream that replies with what the cases say. */
interface Targets {
  server: ServerProcess
  gateway: ServerProcess
  /** Names of the server, a forwarded one, and foreign ones. */
  hosts: readonly [string, ...string[]]
  secret: string
  cookie: string
  /** How many requests came to the upstream by way of the forwarded name. */
  forwarded(): number
  close(): Promise<void>
}

/**
 * Sends frames of HTTP/1, HTTP/2, gRPC and WebSockets that no client sends to a server, and has an upstream reply to a
 * gateway as none does. Both must go on, give their memory back, serve others meanwhile and log no error.
 */
export async function fuzzFrames(options: FrameFuzzOptions): Promise<FrameFuzzReport> {
  const { seed, first = 0, count, atOnce = 12 } = options
  const report: FrameFuzzReport = {
    kinds: {},
    sent: 0,
    answers: {},
    forwarded: 0,
    waits: [],
    growth: { server: 0, gateway: 0 },
    faults: [],
  }
  const targets = await startTargets(seed)
  const underWay = new Map<number, string>()
  let [isOver, done] = [false, 0]
  for (const name of ['server', 'gateway'] as const) {
    void targets[name].ended.then((code) => {
      if (isOver) return
      const cases = [...underWay].map(([number, kind]) => `${number} (${kind})`).join(', ')
      report.faults.push(
        `The ${name} ended with code ${code}; under way: ${cases}; its log: ${targets[name].output().slice(-1500)}`,
      )
    })
  }
  const goesOn = () => !isOver && report.faults.length === 0
  /** When those began that have no answer yet. */
  const asked = new Set<number>()
  const probes = [
    probe(`${targets.server.address}/api/v1/setting`, /"success":true/),
    probe(`${targets.gateway.address}/api/v1/probe`, /^\{"probe":true\}$/),
  ]

  /** Asks as others do, again and again. */
  async function probe(url: string, expected: RegExp): Promise<void> {
    while (goesOn()) {
      const start = performance.now()
      asked.add(start)
      const text = await read(url)
      asked.delete(start)
      if (!goesOn()) return
      const waited = performance.now() - start
      report.waits.push(waited)
      if (!expected.test(text))
        report.faults.push(`${url} answered after ${Math.round(waited)} ms: ${text.slice(0, 300)}`)
      await pause(probeEveryMs)
    }
  }

  const isWaiting = () => [...asked].some((since) => performance.now() - since > pauseAfterMs)
  async function work(): Promise<void> {
    while (goesOn() && report.sent < count) {
      if (isWaiting()) {
        await pause(probeEveryMs)
        continue
      }
      const number = first + report.sent++
      const { to, made } = caseOf(seed, number, targets)
      underWay.set(number, made.kind)
      const answer = `${made.kind} ${await carryOut(connectTo(targets[to], seed, number), made)}`
      report.answers[answer] = (report.answers[answer] ?? 0) + 1
      underWay.delete(number)
      report.kinds[made.kind] = (report.kinds[made.kind] ?? 0) + 1
      options.onProgress?.(++done)
    }
  }

  try {
    const warm = pause(warmUpMs).then(() => Promise.all([readMemory(targets.server), readMemory(targets.gateway)]))
    warm.catch(() => {})
    await Promise.all(Array.from({ length: atOnce }, work))
    report.forwarded = targets.forwarded()
    if (report.faults.length === 0) {
      const [server, gateway] = await warm
      await pause(settleMs)
      report.growth = {
        server: (await readMemory(targets.server)).inUse - server.inUse,
        gateway: (await readMemory(targets.gateway)).inUse - gateway.inUse,
      }
    }
  } finally {
    isOver = true
    await targets.close()
  }
  await Promise.all(probes)
  report.waits.sort((one, other) => one - other)
  for (const name of ['server', 'gateway'] as const) {
    const growth = report.growth[name]
    if (growth > growthAtMost) report.faults.push(`The memory of the ${name} grew by ${growth.toFixed(0)} MiB.`)
    const traces = targets[name].output().match(/^(?:.*failed:.*|\s+at .*)$/gm) ?? []
    report.faults.push(...traces.slice(0, 10).map((line) => `The log of the ${name}: ${line}`))
  }
  return report
}

/** A case: where it goes, and what is sent. */
function caseOf(seed: number, number: number, { server, gateway, hosts, secret, cookie }: Targets) {
  const random = randomOf(seed, number)
  const make = (to: 'server' | 'gateway', { kind, parts, before }: Sent) => ({
    to,
    made: delivered(random, kind, parts, before),
  })
  const hostOf = ({ address }: ServerProcess) => new URL(address).host
  const dice = random.whole(100)
  if (dice < 16) return make('server', http1Bytes(random, hosts))
  if (dice < 26) return make('gateway', http1Bytes(random, [hostOf(gateway), hostOf(gateway), 'other.example', '']))
  if (dice < 50) return make('server', http2Bytes(random, { hosts, secret }))
  if (dice < 64) return make('server', grpcBytes(random, { hosts, secret }))
  if (dice < 78) return make('server', webSocketBytes(random, hostOf(server), cookie))
  return make('gateway', visitorBytes(random, hostOf(gateway), number))
}

/** Each from an address of its own: those with a wrong secret are blocked. */
function connectTo({ address }: ServerProcess, seed: number, number: number): Socket {
  const random = randomOf(seed, -number - 2)
  const localAddress = `127.${1 + random.whole(250)}.${random.whole(250)}.${1 + random.whole(250)}`
  const { port } = new URL(address)
  return connect({ port: Number(port), host: '127.0.0.1', ...(process.platform === 'linux' && { localAddress }) })
}

/** Sends the steps of a case over a connection, whatever the other end does, and leaves. @returns what came first */
async function carryOut(socket: Socket, { steps, leave }: FrameCase): Promise<string> {
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let first: Buffer | undefined
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      first ??= chunk
      resolve()
    })
    socket.on('error', () => {}).once('close', () => resolve())
  })
  for (const step of steps) {
    if (step === 'answer') await Promise.race([answered, pause(answerAtMostMs)])
    else if (typeof step === 'number') await pause(step)
    else if (!socket.destroyed && step.length > 0) socket.write(step)
  }
  if (leave === 'reset') socket.resetAndDestroy()
  else {
    socket.end()
    // What was written goes out first.
    setTimeout(() => socket.destroy(), leave === 'end' ? 40 : 5)
  }
  await closed
  if (!first) return 'nothing'
  return /^HTTP\/1\.1 (\d+)/.exec(first.toString('latin1'))?.[1] ?? 'frames'
}

/** @returns the reply, or why there is none */
function read(url: string): Promise<string> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: probeAtMostMs }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      reply.once('close', () => resolve(reply.complete ? text : `a reply that ends before its time: ${text}`))
    })
    request.once('timeout', () => request.destroy(new Error('no answer in time')))
    request.once('error', (error) => resolve(`nothing (${error.message})`))
  })
}

async function startTargets(seed: number): Promise<Targets> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-fuzz-'))
  const upstream = await startUpstream(seed)
  const start = async (settings: Record<string, string>) =>
    await spawnServer({ ...readableMemory.settings, ...settings }, { nodeArgs: readableMemory.nodeArgs })
  const server = await start({
    DATA_DIR: join(folder, 'data'),
    ADMIN_PASSWORD: admin.password,
    DISABLE_COMMAND_EXECUTE: 'true',
  })
  const gateway = await start({ UPSTREAM: upstream.origin })
  for (const { address, output } of [server, gateway]) if (!address) throw new Error(`It did not start:\n${output()}`)
  const session = await signIn(server.address, admin)
  const { agent_secret: secret } = await session.call<{ agent_secret: string }>('GET', 'profile')
  const forwarded = {
    name: 'odd',
    enabled: true,
    domain: 'nat.example',
    host: new URL(upstream.origin).host,
    server_id: 1,
  }
  await session.call('POST', 'nat', forwarded)
  const { host } = new URL(server.address)
  return {
    forwarded: upstream.forwarded,
    server,
    gateway,
    secret,
    cookie: session.headers().cookie ?? '',
    hosts: [host, host, host, 'nat.example', 'nat.example', 'other.example', '', 'localhost', 'x:y'],
    async close() {
      upstream.close()
      for (const one of [server, gateway]) {
        one.kill('SIGTERM')
        // One that hangs hears no signal.
        setTimeout(() => one.kill('SIGKILL'), endAtMostMs).unref()
      }
      await Promise.all([server.ended, gateway.ended])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A server that replies to each request with what its case says, and to others' as it should. */
async function startUpstream(seed: number): Promise<{ origin: string; forwarded(): number; close(): void }> {
  const open = new Set<Socket>()
  let forwarded = 0
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {}).once('close', () => open.delete(socket))
    let head = ''
    socket.on('data', async (chunk) => {
      head = (head + chunk.toString('latin1')).slice(-20_000)
      if (!head.includes('\r\n\r\n')) return
      const asked = head
      head = ''
      if (/^host: nat\.example/im.test(asked)) forwarded++
      const good = /^GET \/api\/v1\/(?:probe|setting)\b/.test(asked) ? '{"probe":true}' : undefined
      if (good) {
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${good.length}\r\n\r\n${good}`,
        )
        return
      }
      const [, number, at] = /\?n=(\d+)\.(\d+)/.exec(asked) ?? []
      const own = number === undefined ? asked.length : Number(number) * 8 + Number(at)
      const { steps, leave } = upstreamReply(randomOf(seed + 1, own), origin)
      for (const step of steps) {
        if (typeof step === 'number') await pause(step)
        else if (step !== 'answer' && !socket.destroyed && step.length > 0) socket.write(step)
      }
      if (leave === 'reset') socket.resetAndDestroy()
      else if (leave === 'close') socket.end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    forwarded: () => forwarded,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
