import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Api } from '../soak/api.ts'
import { startFleet } from './agents/fleet.ts'
import { type FleetServer, startFleetServer } from './agents/fleetServer.ts'
import { figure } from './support/figure.ts'
import { processorSeconds, residentMib } from './support/processorTime.ts'

async function startBoth(count: number, rampMs: number) {
  const server = await startFleetServer(count)
  onTestFinished(() => server.stop())
  const start = async () => {
    const fleet = await startFleet({ port: server.port, secret: server.secret, count, rampMs })
    onTestFinished(() => fleet.stop())
    return fleet
  }
  return { server, start }
}

/** Opens lists of an admin. @returns a function that gives what each was sent since it was called the last time */
async function openLists({ sockets, headers }: Api, count: number): Promise<() => string[][]> {
  const frames: string[][] = Array.from({ length: count }, () => [])
  for (const own of frames) {
    const socket = new WebSocket(`${sockets}/api/v1/ws/server`, { headers: headers() })
    socket.on('message', (data: Buffer) => void own.push(data.toString()))
    socket.on('error', () => {})
    await once(socket, 'open')
    onTestFinished(() => socket.terminate())
  }
  return () => frames.map((own) => own.splice(0))
}

/** Asks for something every quarter of a second, on a new connection each time. */
function startPerson({ address, headers }: { address: string; headers: Record<string, string> }) {
  const paths = ['profile', 'setting', 'server-group', 'notification']
  const waits = createHistogram()
  const failures: unknown[] = []
  let asked = 0
  const timer = setInterval(() => {
    const at = performance.now()
    const path = paths[asked++ % paths.length]
    request(`${address}/api/v1/${path}`, { headers, agent: new Agent(), timeout: 60_000 }, (reply) => {
      if (reply.statusCode !== 200) failures.push(`${path}: ${reply.statusCode}`)
      reply.resume().on('end', () => waits.record(Math.max(1, Math.round(performance.now() - at))))
    })
      .on('error', (error) => failures.push(error))
      .end()
  }, 250)
  onTestFinished(() => clearInterval(timer))
  return { waits, failures }
}

/** Microseconds of processor time that an agent costs each second, by the number of agents. */
const costs = new Map<number, number>()

test.for([1000, 5000])('%i agents with 20 services, 20 alert rules and five open lists', async (count) => {
  const seconds = 40
  const { server, start } = await startBoth(count, 5000)
  const fleet = await start()
  figure('all online at first', (await fleet.untilOnline(count)) / 1000, 's')
  const takeFrames = await openLists(await server.signIn(), 5)
  await wait(20_000)
  fleet.take()
  takeFrames()
  const { pid } = server.running()
  const before = processorSeconds(pid)
  await wait(seconds * 1000)
  const used = (processorSeconds(pid) - before) / seconds
  const { tasks, waits } = fleet.take()
  const frames = takeFrames()
  const sent = frames.flat()

  costs.set(count, (used / count) * 1e6)
  figure('one core', used * 100, '%', { max: 70, why: 'the rest is for people' })
  figure('for each agent', (used / count) * 1e6, 'µs a second')
  const each = { min: count * 0.4, why: 'each reports every two seconds' }
  figure('reports', waits.count / seconds, 'a second', each)
  figure('checks of services', tasks / seconds, 'a second')
  figure('receipt of a report, median', waits.percentile(50) / 1000, 'ms')
  const first = { max: 250, why: 'an agent waits for it before all else' }
  figure('receipt of a report, 99 of 100', waits.percentile(99) / 1000, 'ms', first)
  const small = { max: 700, why: 'small machines have 1 GiB' }
  figure('resident memory', residentMib(pid), 'MiB', small)
  const everyTwo = { min: 2, why: 'each list gets one every two seconds' }
  figure('frames of the five lists', sent.length / seconds, 'a second', everyTwo)
  figure('one frame', sent.reduce((sum, text) => sum + text.length, 0) / sent.length / 1000, 'kB')
  // Those at the ends may have reached one list only.
  const [one = [], ...others] = frames
  const alone = one.slice(2, -2).filter((text) => others.some((own) => !own.includes(text)))
  expect(alone.length, 'frames that were built for one list').toBe(0)

  const ended = await server.restart()
  await fleet.untilOnline(count)
  const back = { max: 30, why: 'agents pause for 10 s' }
  figure('all back after a restart', (performance.now() - ended) / 1000, 's', back)
  await expectOneRowEach(server, count)
})

async function expectOneRowEach(server: FleetServer, count: number): Promise<void> {
  const rows = await (await server.signIn()).call<{ uuid: string }[]>('GET', 'server')
  const ofAgents = rows.filter(({ uuid }) => uuid.startsWith('00000000-0000-4000-8000-'))
  expect(ofAgents.length, 'rows after a restart').toBe(count)
}

test('one of 5,000 agents costs what one of 1,000 does', async () => {
  const ratio = (costs.get(5000) ?? Number.NaN) / (costs.get(1000) ?? Number.NaN)
  figure('to one of 1,000', ratio, 'times', { max: 1.3, why: 'nothing may grow with the square' })
})

test('20,000 agents, as many as one process should carry on one core', async () => {
  const count = agentsWithin(Number(process.env.BENCH_AGENTS ?? 20_000))
  const seconds = 40
  const { server, start } = await startBoth(count, 60_000)
  const fleet = await start()
  await wait(120_000)
  fleet.take()
  const { pid } = server.running()
  const before = processorSeconds(pid)
  await wait(seconds * 1000)
  const used = (processorSeconds(pid) - before) / seconds
  const { tasks, waits } = fleet.take()
  figure('agents', count, '')
  figure('online', fleet.online(), 'agents', { min: count, why: 'nobody is sent away' })
  figure('one core', used * 100, '%', { max: 100, why: 'one process has one' })
  figure('for each report', (used * 1e6 * seconds) / waits.count, 'µs')
  figure('reports', waits.count / seconds, 'a second', { min: count * 0.4, why: 'each reports every two seconds' })
  figure('checks of services', tasks / seconds, 'a second')
  figure('receipt of a report, median', waits.percentile(50) / 1000, 'ms')
  const small = { max: (1536 * count) / 20_000, why: 'machines for this have 2 GiB' }
  figure('resident memory', residentMib(pid), 'MiB', small)
})

/** How many agents the system has sockets for: here and at the server, each needs one. */
function agentsWithin(most: number): number {
  const sockets = Number(/^Max open files\s+\d+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
  return Math.min(most, (sockets || most) - 500)
}

test('18,000 agents, more than it can carry, while somebody works; then half of them leave', async () => {
  const { server, start } = await startBoth(18_000, 10_000)
  const { address, pid } = server.running()
  const { waits, failures } = startPerson({ address, headers: (await server.signIn()).headers() })
  const fleet = await start()
  const before = processorSeconds(pid)
  await wait(35_000)
  fleet.take()
  await wait(10_000)
  figure('one core', ((processorSeconds(pid) - before) / 45) * 100, '%')
  figure('online', fleet.online(), 'agents')
  figure('receipt of a report, median', fleet.take().waits.percentile(50) / 1000, 'ms')
  figure('request of somebody, median', waits.percentile(50), 'ms')
  const people = { max: 2000, why: 'people come before agents' }
  figure('request of somebody, 99 of 100', waits.percentile(99), 'ms', people)
  figure('request of somebody, the longest', waits.max, 'ms')
  expect(failures, 'requests of somebody').toEqual([])

  await fleet.stop(true)
  const left = performance.now()
  const isNormal = () => {
    const { waits } = fleet.take()
    return waits.count > 0 && waits.percentile(99) < 1e6
  }
  do await wait(1000)
  while (!isNormal() && performance.now() - left < 60_000)
  const normal = { max: 30, why: 'overload ends with the load' }
  const seconds = (performance.now() - left) / 1000
  figure('until receipts come within a second again', seconds, 's', normal)
})
