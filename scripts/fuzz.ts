import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnServer } from '../tests/support/server/spawnServer.ts'
import { readArguments } from './bootstrap/arguments.mjs'
import { fuzzAgents } from './fuzz/agents.ts'
import { overNetwork } from './fuzz/overNetwork.ts'
import { fuzz } from './fuzz/run.ts'
import { signIn } from './soak/api.ts'

const { numbers } = readArguments({
  name: 'npm run fuzz --',
  description: `Sends made-up requests, and broken messages as agents, to a server that is started for it in a temporary
folder and runs no commands. Fails on an HTTP 500, a reply that the OpenAPI description does not allow, a healthy agent
that is held up, an error in the log, a server that ended, or memory that grew.`,
  options: {
    requests: { help: 'how many to send', default: 20_000, min: 1 },
    agents: { help: 'how many connections send broken messages as agents', default: 20_000, min: 0 },
    seed: { help: 'the same number gives the same requests', default: Date.now() % 1_000_000, min: 0 },
  },
})
const { requests: count, agents, seed } = numbers

/** MiB. */
const growthAtMost = 100
/** The share of the requests after which a server has loaded and warmed up what it needs. */
const warmUp = 0.1

const admin = { username: 'admin', password: 'only for the fuzzer' }
const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-fuzz-'))
const server = await spawnServer({
  DATA_DIR: join(folder, 'data'),
  ADMIN_PASSWORD: admin.password,
  DISABLE_COMMAND_EXECUTE: 'true',
})
let hasEnded = false
void server.ended.then(() => {
  hasEnded = true
})

/** Resident memory of the server in MiB. */
const memory = () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.pid)], { encoding: 'utf8' })) / 1024

/** @returns what was wrong */
async function fuzzWithAgents(): Promise<string[]> {
  if (agents === 0) return []
  const { agent_secret: secret } = await (await signIn(server.address, admin)).call<{ agent_secret: string }>(
    'GET',
    'profile',
  )
  let before = 0
  const report = await fuzzAgents({
    ...{ port: Number(new URL(server.address).port), secret, count: agents, seed },
    onProgress(sent) {
      if (sent === Math.ceil(agents * warmUp)) before = memory()
      if (sent % 2000 === 0) console.info(`${sent} broken agents, ${memory().toFixed(0)} MiB`)
    },
  })
  const growth = memory() - before
  console.info(`broken agents: ${JSON.stringify(report.kinds)}; memory grew by ${growth.toFixed(0)} MiB`)
  if (growth > growthAtMost)
    report.faults.push(`The server's memory grew by ${growth.toFixed(0)} MiB with broken agents.`)
  return report.faults
}

const failures: string[] = []
const send = overNetwork(server.address)
try {
  if (!server.address) throw new Error(`The server did not start:\n${server.output()}`)
  console.info(`${count} requests with the seed ${seed}, to ${server.address}`)
  let before = 0
  const start = performance.now()
  const report = await fuzz({
    ...{ send, admin, count, seed, atOnce: 8 },
    onProgress(sent) {
      if (sent === Math.ceil(count * warmUp)) before = memory()
      if (sent % 2000 === 0) console.info(`${sent} sent, ${memory().toFixed(0)} MiB`)
    },
  })
  const growth = memory() - before
  const seconds = (performance.now() - start) / 1000
  const statuses = [...report.statuses].sort(([one], [other]) => one - other).map((pair) => pair.join(': '))
  console.info(`${seconds.toFixed(0)} s; ${report.routes} calls; HTTP ${statuses.join(', ')}`)
  console.info(`successes: ${JSON.stringify(report.successes)}`)
  console.info(`memory grew by ${growth.toFixed(0)} MiB, at most ${growthAtMost} are allowed`)
  failures.push(...report.faults, ...(await fuzzWithAgents()))
  if (growth > growthAtMost) failures.push(`The server's memory grew by ${growth.toFixed(0)} MiB.`)
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
process.exitCode = failures.length > 0 ? 1 : 0
