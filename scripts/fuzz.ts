import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnServer } from '../tests/support/server/process/spawnServer.ts'
import { readArguments } from './bootstrap/arguments.mjs'
import { fuzzAgents } from './fuzz/agents.ts'
import { fuzzFrames } from './fuzz/frames.ts'
import { overNetwork } from './fuzz/overNetwork.ts'
import { fuzz } from './fuzz/run.ts'
import { signIn } from './soak/api.ts'
import { readableMemory, readMemory } from './soak/readMemory.ts'
import { pause } from './soak/simulatedUsers.ts'

const { numbers } = readArguments({
  name: 'npm run fuzz --',
  description: `Sends made-up requests, and broken messages as agents, to a server that is started for it in a temporary
folder and runs no commands. Fails on an HTTP 500, a reply that the OpenAPI description does not allow, a healthy agent
that is held up, an error in the log, a server that ended, or memory that grew. Before that it sends broken frames of
HTTP/1, HTTP/2, gRPC and WebSockets to a server and a gateway of their own, whose upstream replies as none does, and
measures how long others wait meanwhile: 300 ms are wanted on a machine with nothing else to do.`,
  options: {
    requests: { help: 'how many to send', default: 20_000, min: 0 },
    agents: { help: 'how many connections send broken messages as agents', default: 20_000, min: 0 },
    frames: { help: 'how many connections send broken frames, or get a broken reply', default: 20_000, min: 0 },
    first: { help: 'the first of these, to repeat some of them', default: 0, min: 0 },
    seed: { help: 'the same number gives the same requests', default: Date.now() % 1_000_000, min: 0 },
  },
})
const { requests: count, agents, frames, first, seed } = numbers
const failures: string[] = []

if (frames > 0) {
  console.info(`${frames} connections with broken frames, from number ${first} with the seed ${seed}`)
  const onProgress = (sent: number) => void (sent % 2000 === 0 && console.info(`${sent} connections`))
  const { kinds, answers, forwarded, waits, growth, faults } = await fuzzFrames({
    seed,
    first,
    count: frames,
    onProgress,
  })
  const wait = (share: number) => `${Math.round(waits[Math.floor(share * (waits.length - 1))] ?? 0)} ms`
  console.info(`broken frames: ${JSON.stringify(kinds)}`)
  const byKind = Object.entries(answers).sort(([one], [other]) => (one < other ? -1 : 1))
  console.info(`first answers: ${JSON.stringify(Object.fromEntries(byKind))}; ${forwarded} came by a forwarded name`)
  console.info(`others waited ${wait(0.5)}, ${wait(0.99)} at most for 99 of 100, and ${wait(1)} at most`)
  console.info(
    `memory in use grew by ${growth.server.toFixed(0)} MiB, that of the gateway by ${growth.gateway.toFixed(0)}`,
  )
  failures.push(...faults)
}

/** MiB in use, after a collection: what the system has given once says little. */
const growthAtMost = 40
/** The share of the requests after which a server has loaded and warmed up what it needs. */
const warmUp = 0.1

/** Broken connections are ended after ten seconds. */
const settleMs = 15_000

const admin = { username: 'admin', password: 'only for the fuzzer' }
const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-fuzz-'))
const server = await spawnServer(
  {
    DATA_DIR: join(folder, 'data'),
    ADMIN_PASSWORD: admin.password,
    DISABLE_COMMAND_EXECUTE: 'true',
    ...readableMemory.settings,
  },
  { nodeArgs: readableMemory.nodeArgs },
)
let hasEnded = false
void server.ended.then(() => {
  hasEnded = true
})

if (!server.address) throw new Error(`The server did not start:\n${server.output()}`)
const send = overNetwork(server.address)

/** Calls `run` and compares the server's memory at the end with that after the warm-up. */
async function memoryGrowth(what: string, total: number, run: (onProgress: (sent: number) => void) => Promise<void>) {
  let warm: ReturnType<typeof readMemory> | undefined
  await run((sent) => {
    if (sent === Math.ceil(total * warmUp)) warm = readMemory(server)
    if (sent % 2000 === 0) console.info(`${sent} ${what}`)
  })
  await pause(settleMs)
  const growth = (await readMemory(server)).inUse - ((await warm)?.inUse ?? 0)
  console.info(`memory in use grew by ${growth.toFixed(0)} MiB with ${what}, at most ${growthAtMost} are allowed`)
  if (growth > growthAtMost) failures.push(`The server's memory grew by ${growth.toFixed(0)} MiB with ${what}.`)
}

async function fuzzWithAgents(): Promise<void> {
  const { agent_secret: secret } = await (await signIn(server.address, admin)).call<{ agent_secret: string }>(
    'GET',
    'profile',
  )
  const port = Number(new URL(server.address).port)
  await memoryGrowth('broken agents', agents, async (onProgress) => {
    const report = await fuzzAgents({ port, secret, count: agents, seed, onProgress })
    console.info(`broken agents: ${JSON.stringify(report.kinds)}`)
    failures.push(...report.faults)
  })
}

async function fuzzWithRequests(): Promise<void> {
  const start = performance.now()
  await memoryGrowth('requests', count, async (onProgress) => {
    const report = await fuzz({ send, admin, count, seed, atOnce: 8, onProgress })
    const seconds = (performance.now() - start) / 1000
    const statuses = [...report.statuses].sort(([one], [other]) => one - other).map((pair) => pair.join(': '))
    console.info(`${seconds.toFixed(0)} s; ${report.routes} calls; HTTP ${statuses.join(', ')}`)
    console.info(`successes: ${JSON.stringify(report.successes)}`)
    failures.push(...report.faults)
  })
}

try {
  console.info(`${count} requests with the seed ${seed}, to ${server.address}`)
  if (count > 0) await fuzzWithRequests()
  if (agents > 0) await fuzzWithAgents()
} catch (error) {
  failures.push(String(error))
} finally {
  send.close()
  if (hasEnded) failures.push('The server ended.')
  server.kill('SIGTERM')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
}
const logged = server.output().match(/^.*(?:failed:|Error|^\s+at ).*$/gm) ?? []
failures.push(...logged.slice(0, 20).map((line) => `The server's log: ${line}`))
for (const failure of failures) console.error(failure)
// Whatever a broken connection has left behind must not keep it from ending.
process.exit(failures.length > 0 ? 1 : 0)
