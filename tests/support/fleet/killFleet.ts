import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Random, randomlyFrom } from '../../../scripts/seed/random.ts'
import type { PostgresPlace } from '../../../server/db/postgres/connection.ts'
import { killPostgres } from '../postgres/startPostgres.ts'
import { escalationsOfOutage, type FleetLife, outagesUntil, settledSeconds } from './killStory.ts'

/** What arrived over many starts of a console that was killed each time. */
export interface KillReport {
  kills: number
  /** Outages that there were, and messages that one began and that one ended. */
  outages: number
  messages: number
  /** Messages of the escalation plan: of its steps, and that an outage is over. */
  escalated: number
  /** Requests that were sent again, as nobody knew whether they had arrived: they have the key of the first. */
  repeated: number
  /** What was never told, and what was told twice with another key. */
  faults: string[]
}

interface Options {
  /** A new file, or an empty schema of a PostgreSQL that `killPostgres` can kill: then it is killed as well. */
  database: string | PostgresPlace
  /** At least; it goes on until there were more outages than that. */
  kills: number
  /** Milliseconds after which it is killed no more, however few that were: what has happened until then is compared. */
  lastsMs?: number
  seed: number
  /** The code of `messages` of the notifier group. */
  messages: number
  onProgress?: (text: string) => void
}

/** Longest time until a console is killed, in milliseconds. */
const longestLifeMs = 900

/** Kills a console again and again while services fail and recover, and compares what was told with what was. */
export async function killFleet({
  database,
  kills,
  lastsMs = Number.POSITIVE_INFINITY,
  seed,
  messages,
  onProgress = () => {},
}: Options): Promise<KillReport> {
  const random = randomlyFrom(seed)
  const received = await startReceiver()
  const begin = performance.now()
  const common = { database, receiver: received.origin, messages }
  try {
    let from = 0
    let killed = 0
    // On a slow machine little happens in a life; then it takes more of them.
    const isOver = () => performance.now() - begin > lastsMs
    while ((killed < kills || sumOf(outagesUntil(from)) <= kills) && !isOver()) {
      from = await liveAndDie({ ...common, from }, random)
      killed += 1
      if (killed % 10 === 0) onProgress(`${killed} kills, second ${from}: ${received.texts.size} messages`)
    }
    await runToEnd({ ...common, from, quietFrom: from, until: from + settledSeconds })
    const told = compare([...received.texts.values()], outagesUntil(from))
    return { kills: killed, repeated: received.repeated(), ...told }
  } finally {
    received.close()
  }
}

const program = join(import.meta.dirname, 'killedFleet.ts')
const start = (life: FleetLife) =>
  spawn(process.execPath, [program, JSON.stringify(life)], { stdio: ['ignore', 'pipe', 'inherit'] })

/** @returns the second that it has reached */
async function liveAndDie(life: FleetLife, random: Random): Promise<number> {
  const child = start(life)
  const closed = once(child, 'close')
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  await Promise.race([once(child.stdout, 'data'), closed])
  if (typeof life.database !== 'string' && random.whole(2) === 0) {
    await delay(random.whole(longestLifeMs))
    await killPostgres(life.database.url)
    // It goes on when PostgreSQL is there again.
    await Promise.race([once(child.stdout, 'data'), closed])
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), random.whole(longestLifeMs))
  const [code] = await closed
  clearTimeout(timer)
  if (code !== null) throw new Error(`the console ended by itself with the code ${code}`)
  return Number(printed.trim().split('\n').at(-1))
}

async function runToEnd(life: FleetLife): Promise<void> {
  const child = start(life)
  child.stdout.resume()
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the console ended with the code ${code}`)
}

/** Keeps what arrives, once for each key, as receivers do that know the header. */
async function startReceiver() {
  const texts = new Map<string, string>()
  let requests = 0
  const server = createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    requests++
    const { text } = JSON.parse(body) as { text: string }
    texts.set(String(request.headers['idempotency-key'] ?? requests), text)
    reply.end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    texts,
    repeated: () => requests - texts.size,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

/** Those of the escalation plan go to a second notifier, beside the others. */
const isOfPlan = (text: string) => /^\[\w+\] \S+(?:: nobody has acknowledged|, after)/.test(text)
const kindOf = (text: string) => (/^\[(Down|Incident)\]/.test(text) ? 'began' : 'ended')

/** What one outage is told with: by its group, and by the plan. */
const expectedOfOutage = [
  [false, ['began', 'ended']],
  [true, [...Array.from({ length: escalationsOfOutage }, () => 'began'), 'ended']],
] as const

function compare(texts: readonly string[], outages: readonly number[]): Omit<KillReport, 'kills' | 'repeated'> {
  const faults: string[] = []
  const ofPlan = texts.filter(isOfPlan)
  for (const [service, count] of outages.entries()) {
    const told = texts.filter((text) => new RegExp(`^\\S+ service-${service}(?!\\d)`).test(text))
    for (const [isExpected, one] of expectedOfOutage) {
      const kinds = told.filter((text) => isOfPlan(text) === isExpected).map(kindOf)
      const expected = Array.from({ length: count }, () => one).flat()
      if (kinds.join() !== expected.join()) faults.push(`service-${service}, down ${count} times: ${kinds.join(', ')}`)
    }
  }
  return {
    outages: sumOf(outages),
    messages: texts.length - ofPlan.length,
    escalated: ofPlan.length,
    faults,
  }
}
