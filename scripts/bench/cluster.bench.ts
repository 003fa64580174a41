import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openStore, type Store } from '../../server/db/store.ts'
import { entityTable } from '../../server/entities/entityTable.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { killFleet } from '../../tests/support/fleet/killFleet.ts'
import { leadingNode } from '../../tests/support/postgres/leadingNode.ts'
import { startPostgres } from '../../tests/support/postgres/startPostgres.ts'
import type { Api } from '../soak/api.ts'
import { soakCluster } from '../soak/soakCluster.ts'
import { startFleet } from './agents/fleet.ts'
import { startFleetServer } from './agents/fleetServer.ts'
import { type BenchCluster, type BenchNode, startBenchCluster } from './cluster/benchCluster.ts'
import { figure } from './support/figure.ts'
import { processorSeconds, residentMib } from './support/processorTime.ts'

/** How often something is killed; `npm run soak -- cluster` does it for as long as one likes. */
const kills = Number(process.env.BENCH_KILLS ?? 6)

/** How many agents are at the nodes. */
const agents = Number(process.env.BENCH_AGENTS ?? 2000)

const writers = 50
const oneWrite = { max: 3, why: 'a round trip and a log of its own' }
const manyWrites = { max: 1, why: 'commits that wait share a round trip' }

/** Times two kinds of work in turn, so that what else the machine does counts for both. @returns medians in ms */
async function inTurns(rounds: number, works: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const times = works.map(() => createHistogram())
  for (let round = -5; round < rounds; round++) {
    for (const [index, work] of works.entries()) {
      const at = performance.now()
      await work()
      // The first ones warm up.
      if (round >= 0) times[index]?.record(Math.max(1, Math.round((performance.now() - at) * 1000)))
    }
  }
  return times.map((one) => one.percentile(50) / 1000)
}

/** Prints what a write takes, of one and of many at once. @param write the two to compare: that of SQLite is the first */
async function compareWrites(what: string, write: readonly [WriteMany, WriteMany]): Promise<void> {
  const counts = [
    { count: 1, rounds: 200, limit: oneWrite },
    { count: writers, rounds: 20, limit: manyWrites },
  ]
  for (const { count, rounds, limit } of counts) {
    const works = write.map((many) => () => many(count))
    const [file = Number.NaN, cluster = Number.NaN] = await inTurns(rounds, works)
    const name = count === 1 ? `${what}, one at a time` : `${what}, each of ${count} at once`
    figure(`${name}, SQLite`, file / count, 'ms')
    figure(`${name}, cluster`, cluster / count, 'ms')
    figure(`${name}, cluster to SQLite`, cluster / file, 'times', limit)
  }
}

type WriteMany = (count: number) => Promise<unknown>

test('a row in PostgreSQL, beside one in a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-cluster-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = openStore(join(folder, 'store.db'))
  onTestFinished(() => file.close())
  const { store } = await leadingNode({ url: await startPostgres(true), schema: 'wheelhouse' })
  const writerOf = (own: Store): WriteMany => {
    const rows = entityTable(own, serverGroup)
    let number = 0
    return async (count) => {
      for (let one = 0; one < count; one++) rows.insert({ name: `group ${number++}`, servers: [], user_id: 1 })
      expect(await own.durable(10_000)).toBe(true)
    }
  }
  await compareWrites('a row', [writerOf(file), writerOf(store)])
})

test('a list of machines and a write of a cluster, beside one process', async () => {
  const machines = Number(process.env.BENCH_MACHINES ?? 10_000)
  const file = await startFleetServer(machines)
  onTestFinished(() => file.stop())
  const cluster = await startBenchCluster(machines)
  onTestFinished(() => cluster.stop())
  const [leader, follower] = bothOf(cluster)
  const [ofFile, ofLeader] = [await file.signIn(), await cluster.signIn(leader)]

  const rounds = 30
  const timeOf = async (api: Api, { pid }: { pid: number }) => {
    const before = processorSeconds(pid)
    await api.call('GET', 'server')
    return processorSeconds(pid) - before
  }
  const throughFollower = await cluster.signIn(follower)
  const used = { file: 0, leader: 0, passedOn: 0 }
  for (let round = -5; round < rounds; round++) {
    // The first ones warm up.
    if (round === 0) used.file = used.leader = used.passedOn = 0
    used.file += await timeOf(ofFile, file.running())
    used.leader += await timeOf(ofLeader, leader.process)
    used.passedOn += await timeOf(throughFollower, leader.process)
  }
  figure('a list, SQLite', (used.file / rounds) * 1000, 'ms of a processor')
  figure('a list, cluster', (used.leader / rounds) * 1000, 'ms of a processor')
  const same = { max: 1.1, why: 'rows are in memory in both' }
  figure('a list, cluster to SQLite', used.leader / used.file, 'times', same)
  figure('a list asked for at a follower, for the leader', (used.passedOn / rounds) * 1000, 'ms of a processor')

  const writerOf = (api: Api): WriteMany => {
    let number = 0
    const write = () => api.call('POST', 'server-group', { name: `group ${number++}`, servers: [] })
    return (count) => Promise.all(Array.from({ length: count }, write))
  }
  await compareWrites('a request that writes', [writerOf(ofFile), writerOf(ofLeader)])
})

function bothOf(cluster: BenchCluster): [leader: BenchNode, follower: BenchNode] {
  const [leader, follower] = cluster.nodes()
  if (!leader || !follower) throw new Error('A node is missing.')
  return [leader, follower]
}

test('the leader with agents that a follower ends; then it is killed', async () => {
  const count = agents
  const seconds = 30
  const cluster = await startBenchCluster(count)
  onTestFinished(() => cluster.stop())
  const connect = async (port: number, share = count, first = 0) => {
    const fleet = await startFleet({ port, secret: cluster.secret, count: share, first, rampMs: 5000 })
    onTestFinished(() => fleet.stop())
    await fleet.untilOnline(share)
    return fleet
  }
  const during = async ({ pid }: { pid: number }) => {
    const before = processorSeconds(pid)
    await wait(seconds * 1000)
    return (processorSeconds(pid) - before) / seconds
  }

  /** What an agent that reports every two seconds costs the leader, beyond what that costs without agents. */
  async function costAt(where: 'leader' | 'follower') {
    await cluster.restart()
    const [leader, follower] = bothOf(cluster)
    const { pid } = leader.process
    // It has just read all rows.
    await wait(10_000)
    const [idle, empty] = [await during(leader.process), residentMib(pid)]
    const fleet = await connect(where === 'leader' ? leader.port : follower.port)
    // All checks have begun.
    await wait(60_000)
    fleet.take()
    const used = (await during(leader.process)) - idle
    const { waits, tasks } = fleet.take()
    const reports = waits.count / seconds
    const processor = (used / (reports * 2)) * 1e6
    const memory = ((residentMib(pid) - empty) * 1024) / count
    await fleet.stop()
    figure(`at the ${where}: reports`, reports, 'a second', {
      min: count * 0.4,
      why: 'each reports every two seconds',
    })
    figure(`at the ${where}: checks of services`, tasks / seconds, 'a second')
    figure(`at the ${where}: receipt of a report, 99 of 100`, waits.percentile(99) / 1000, 'ms')
    return { processor, memory }
  }
  const atLeader = await costAt('leader')
  const atFollower = await costAt('follower')
  figure('for each agent at the leader', atLeader.processor, 'µs a second of the leader')
  const cheap = { max: 25, why: 'the follower ends TLS, HTTP/2 and protobuf' }
  figure('for each agent at a follower', atFollower.processor, 'µs a second of the leader', cheap)
  figure('for each agent at the leader', atLeader.memory, 'KiB of the leader')
  const small = { max: 25, why: 'connections are at the follower' }
  figure('for each agent at a follower', atFollower.memory, 'KiB of the leader', small)

  await cluster.restart()
  const [leader, follower] = bothOf(cluster)
  const api = await cluster.signIn(follower)
  await Promise.all([connect(leader.port, count / 2), connect(follower.port, count / 2, count / 2)])
  const killedAt = Date.now()
  const started = cluster.killLeader()
  const since = () => (Date.now() - killedAt) / 1000
  while (!(await writes(api))) await wait(100)
  const again = { max: 10, why: 'nobody may lead for the first five' }
  figure('the leader is killed: until a write succeeds', since(), 's', again)
  await expectReports(api, count, killedAt)
  const back = { max: 20, why: 'agents pause for 10 s' }
  figure('until all agents have reported', since(), 's', back)
  await started
})

const writes = (api: Api) =>
  api.call('POST', 'server-group', { name: 'after the kill', servers: [] }).then(
    () => true,
    () => false,
  )

/** Waits until the list says of all machines that they have reported after a time, in ms since 1970. */
async function expectReports(api: Api, count: number, after: number): Promise<void> {
  const isNew = ({ last_active }: { last_active: string }) => Date.parse(last_active) > after
  for (;;) {
    const rows = await api.call<{ last_active: string }[]>('GET', 'server').catch(() => [])
    if (rows.filter(isNew).length >= count) return
    await wait(500)
  }
}

test(`${kills} times a node or PostgreSQL is killed while somebody writes, and while messages are sent`, async () => {
  const { acknowledged, lost, faults } = await soakCluster({
    rounds: kills,
    happening: ['killed', 'there when PostgreSQL was killed'],
    isDurable: true,
    onProgress: console.log,
  })
  figure('writes acknowledged', acknowledged, '')
  figure('writes lost', lost, '', { max: 0, why: 'what was acknowledged stays' })
  expect(faults).toEqual([])

  const database = { url: await startPostgres(true), schema: 'wheelhouse' }
  const seed = Date.now() % 100_000
  const told = await killFleet({ database, kills, seed, messages: 0 })
  figure('messages', told.messages + told.escalated, '')
  figure('of which were sent again with their key', told.repeated, '')
  const none = { max: 0, why: 'a receiver that knows the key of a message gets each once' }
  figure('services with messages lost or told twice', told.faults.length, '', none)
  expect(told.faults, `seed ${seed}`).toEqual([])
})
