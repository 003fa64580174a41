import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerProcess, spawnServer } from '../tests/support/server/process/spawnServer.ts'
import { readArguments } from './bootstrap/arguments.mjs'
import { describeAnonymousClients } from './soak/anonymousClients.ts'
import { type Api, signIn } from './soak/api.ts'
import { type Counters, lostBetween, missingIn, readCounters } from './soak/counters.ts'
import { checkMemory, memoryIn } from './soak/memory.ts'
import { connectionCount, ownMachine, seedRecords } from './soak/seedRecords.ts'
import { liveViewer, natVisitor, pause, type SimulatedUser, terminalUser } from './soak/simulatedUsers.ts'
import { soakAnonymousClients } from './soak/soakAnonymousClients.ts'
import { soakSharedAddress } from './soak/soakSharedAddress.ts'
import { startTargets } from './soak/targets.ts'

const { numbers, names } = readArguments({
  name: 'npm run soak --',
  description: `Lets a server work for a while as in production, with checks, alerts, tasks and users, and a restart in the
middle. It is started for this in a temporary folder. Fails when its memory grows, a check is missed, something that
was set up does not happen, the restart loses something, the log holds an error, or the server ends.

With "anonymous", 2,000 idle sockets and 100 slow bodies of clients without a session stay for that time instead. Fails
when a list for somebody who has signed in takes 300 ms, or memory ends more than 50 MiB above its start.

With "shared-address", twenty people and five agents work behind one address for that time, beside agents with a wrong
secret and programs that guess passwords. Fails when one of the good is refused, or waits more than 2 s for a reply.

With "cluster", two nodes share a PostgreSQL of their own, and for that time one after the other is killed, stopped, or
cut off, or PostgreSQL is killed. Fails when a write that was acknowledged is lost, two have led at once, or none succeeds
for 30 s.

With "messages", a console whose services fail and recover is killed at random moments, as often as --kills says or until
the minutes are over, whichever comes first. Fails when a message is lost, or told twice. With "cluster-messages" its data is in PostgreSQL, which is killed as well.`,
  options: {
    minutes: { help: 'how long', default: 30, min: 2, fraction: true },
    kills: { help: 'how often "messages" and "cluster-messages" kill', default: 200, min: 1 },
  },
  choices: { argument: 'KIND', values: ['anonymous', 'shared-address', 'cluster', 'messages', 'cluster-messages'] },
})
const { minutes, kills } = numbers

if (names.includes('anonymous')) {
  const { faults: found, ...results } = await soakAnonymousClients({
    holdMs: minutes * 60_000,
    onProgress: (text) => console.info(text),
  })
  for (const line of [...describeAnonymousClients({ ...results, faults: found }), ...found]) console.info(line)
  process.exit(found.length > 0 ? 1 : 0)
}

if (names.includes('shared-address')) {
  const { lines, faults: found } = await soakSharedAddress({ lastsMs: minutes * 60_000, onProgress: console.info })
  for (const line of [...lines, ...found.slice(0, 50)]) console.info(line)
  console.info(found.length === 0 ? 'Good: nobody good noticed anything.' : `Not good: ${found.length} faults.`)
  process.exit(found.length > 0 ? 1 : 0)
}

if (names.includes('cluster')) {
  const { soakCluster } = await import('./soak/soakCluster.ts')
  const options = { rounds: Number.POSITIVE_INFINITY, lastsMs: minutes * 60_000, onProgress: console.info }
  const { lines, faults: found } = await soakCluster(options)
  for (const line of [...lines, ...found.slice(0, 50)]) console.info(line)
  console.info(found.length === 0 ? 'Good: nothing was lost.' : `Not good: ${found.length} faults.`)
  process.exit(found.length > 0 ? 1 : 0)
}

if (names.includes('messages') || names.includes('cluster-messages')) {
  const { killFleet } = await import('../tests/support/fleet/killFleet.ts')
  const { startPostgres } = await import('../tests/support/postgres/startPostgres.ts')
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-soak-'))
  const database = names.includes('messages')
    ? join(folder, 'data.sqlite')
    : { url: await startPostgres(), schema: 'wheelhouse' }
  const lastsMs = minutes * 60_000
  const options = { database, kills, lastsMs, seed: Date.now() % 100_000, messages: 0, onProgress: console.info }
  const { faults: found, ...figures } = await killFleet(options)
  rmSync(folder, { recursive: true, force: true })
  for (const line of [JSON.stringify({ seed: options.seed, ...figures }), ...found]) console.info(line)
  console.info(found.length === 0 ? 'Good: nothing was lost or told twice.' : `Not good: ${found.length} faults.`)
  process.exit(found.length > 0 ? 1 : 0)
}

const admin = { username: 'admin', password: 'only for the soak' }
const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-soak-'))
const nodeArgs = ['--expose-gc', '--import', join(import.meta.dirname, 'soak/printMemory.ts')]
const faults: string[] = []
const log = (text: string) => console.info(`${new Date().toISOString().slice(11, 19)}  ${text}`)

const start = () => spawnServer({ DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: admin.password }, { nodeArgs })

/** Lines of a log that report a fault. */
const errorLines = (output: string) => output.match(/^.*(?:failed:|Error\b|Warning:|^\s+at ).*$/gm) ?? []

async function end(name: string, server: ServerProcess): Promise<void> {
  server.kill('SIGTERM')
  const code = await Promise.race([server.ended, pause(10_000).then(() => 'no')])
  if (code !== 0) faults.push(`${name} ended with the code ${code} within 10 s.`)
  if (code === 'no') server.kill('SIGKILL')
  faults.push(
    ...errorLines(server.output())
      .slice(0, 20)
      .map((line) => `${name} logged: ${line}`),
  )
  const { line, faults: grown } = checkMemory(name, memoryIn(server.output()))
  log(line)
  faults.push(...grown)
}

async function startUsers(api: Api): Promise<Record<string, SimulatedUser>> {
  const { id } = await ownMachine(api)
  return {
    viewer: liveViewer(api),
    'second viewer': liveViewer(api),
    'terminal user': await terminalUser(api, id),
    'NAT visitor': natVisitor(api),
  }
}

function stopUsers(users: Record<string, SimulatedUser>): void {
  for (const [name, user] of Object.entries(users)) {
    user.stop()
    if (user.done() === 0) faults.push(`The ${name} got nothing done.`)
    faults.push(...user.faults().slice(0, 20))
  }
}

function report(minute: number, server: ServerProcess, users: Record<string, SimulatedUser>, counters: Counters): void {
  const { rss, inUse } = memoryIn(server.output()).at(-1) ?? { rss: 0, inUse: 0 }
  const work = Object.entries(users).map(([name, { done, faults: own }]) => `${name} ${done()}/${own().length}`)
  const { services, alarms, deliveries, tasks, calls } = counters
  const checks = services.map(({ up, down, notPermitted }) => (notPermitted ? 'not permitted' : `${up}+${down}`))
  log(
    `minute ${minute}: rss ${rss.toFixed(0)}, in use ${inUse.toFixed(1)} MiB | ${work.join(', ')} | checks ${checks.join(' ')}` +
      ` | alarms ${alarms.recovered}/${alarms.started}, deliveries ${deliveries.sent}+${deliveries.failed}` +
      ` | notifications ${calls.notify}, ddns ${calls.ddns} | tasks ${tasks.scheduled} ${tasks.failed} ${tasks.recovered}`,
  )
}

const targets = await startTargets()
let server = await start()
try {
  if (!server.address) throw new Error(`The server did not start:\n${server.output()}`)
  log(`${minutes} minutes, at ${server.address}`)
  let api = await signIn(server.address, admin)
  const seeded = await seedRecords(api, targets, folder)
  let users = await startUsers(api)
  const counters = () => readCounters(api, targets, seeded, folder)
  const begin = performance.now()
  const restartAt = Math.floor(minutes / 2) * 60
  let before: Counters | undefined

  for (let second = 1; second <= minutes * 60; second++) {
    await pause(Math.max(0, begin + second * 1000 - performance.now()))
    if (server.output().length > 0 && (await Promise.race([server.ended, pause(0).then(() => 'runs')])) !== 'runs') {
      throw new Error(`The server ended by itself:\n${server.output().slice(-2000)}`)
    }
    // Down for 45 s, up for 75; 600 connections for 30 s, none for 60.
    await targets.setUnstable(second % 120 < 60 || second % 120 >= 105)
    if (second % 90 === 20) await targets.openConnections(connectionCount)
    if (second % 90 === 50) await targets.openConnections(0)
    if (second % 60 === 40) await api.call('POST', `wheelhouse/ddns/${seeded.ddnsId}/update`)
    if (second % 60 === 0) report(second / 60, server, users, await counters())
    // What goes on after a restart needs its first checks.
    if (before && second === restartAt + 30) faults.push(...lostBetween(before, await counters()))
    if (second !== restartAt) continue
    before = await counters()
    stopUsers(users)
    await end('The server before the restart', server)
    server = await start()
    if (!server.address) throw new Error(`The server did not start again:\n${server.output()}`)
    api = await signIn(server.address, admin)
    users = await startUsers(api)
  }
  const last = await counters()
  stopUsers(users)
  faults.push(...missingIn(last, minutes))
} catch (error) {
  faults.push(String(error))
} finally {
  await end('The server at last', server)
  targets.close()
  rmSync(folder, { recursive: true, force: true })
}
for (const fault of faults) console.error(fault)
log(faults.length === 0 ? 'Good: nothing was missed, lost or left behind.' : `Not good: ${faults.length} faults.`)
process.exit(faults.length > 0 ? 1 : 0)
