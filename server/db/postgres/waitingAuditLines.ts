import { appendFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Client } from 'pg'
import { z } from 'zod'
import { errorCode } from '../../../src/domain/errors.ts'
import { replaceFile } from '../../replaceFile.ts'
import { literalOf, restoredText } from './columnTypes.ts'
import { type PostgresPlace, quotedSchema, readRows, run, withConnection } from './connection.ts'
import { copyMs } from './copy.ts'
import { auditLineStatements } from './moveAudit.ts'
import { readCluster } from './ownTables.ts'

/**
 * Lines of the audit log that PostgreSQL does not have, and whose effect somebody may have seen already: on the disk of
 * this server, so that they outlive it. Before them is the cluster that they belong to: the settings of a server may name
 * another one at its next start.
 */
export interface WaitingFile {
  /**
   * Appends whole lines. They are as many as there are commits that wait, and so have the same limit. The disk has them
   * some milliseconds later, in case that the machine dies as well: waiting for it each time would hold up everybody.
   */
  keep(text: string): void
  /** All of them are in PostgreSQL; what was in the file before stays. */
  clear(): void
}

/**
 * @param identity of the cluster
 * @param onFailure called for the first of several failures: lines that the disk does not take are in memory all the same
 */
export function openWaitingFile(path: string, identity: string, onFailure: (error: unknown) => void): WaitingFile {
  let hasFailed = false
  let isSyncing = false
  let isUnsynced = false
  /** Bytes of what could not be brought at the start, and is tried again at the next one; `undefined` while nothing waits. */
  let before: number | undefined

  function failed(error: unknown): void {
    if (!hasFailed) onFailure(error)
    hasFailed = true
  }

  function attempt(change: () => void): void {
    try {
      change()
    } catch (error) {
      failed(error)
    }
  }

  /** Waits for the disk, once for all lines that come meanwhile. */
  async function sync(): Promise<void> {
    isUnsynced = true
    if (isSyncing) return
    isSyncing = true
    try {
      while (isUnsynced) {
        isUnsynced = false
        const file = await open(path, 'r+')
        await file.sync().finally(() => file.close())
      }
    } catch (error) {
      // Gone meanwhile: PostgreSQL has them.
      if (errorCode(error) !== 'ENOENT') failed(error)
    } finally {
      isSyncing = false
    }
  }

  return {
    keep(text) {
      attempt(() => {
        const isFirst = before === undefined
        before ??= statSync(path, { throwIfNoEntry: false })?.size ?? 0
        const lines = isFirst ? headingOf(identity) + text : text
        // The end of a line may be missing, where a crash or a full disk has cut it off.
        appendFileSync(path, hasFailed || (isFirst && before > 0) ? `\n${lines}` : lines, { mode: 0o600 })
        void sync()
      })
    },
    // Must not fail: it is called where it is known what PostgreSQL has. Lines that stay are not brought twice.
    clear() {
      attempt(() => {
        if (before) truncateSync(path, before)
        else rmSync(path, { force: true })
        hasFailed = false
      })
      before = undefined
    },
  }
}

const heading = z.strictObject({ cluster: z.string() })

const headingOf = (cluster: string) => `${JSON.stringify({ cluster } satisfies z.output<typeof heading>)}\n`

/** What a file holds: lines of one cluster, and those of others with their headings. */
interface WaitingTexts {
  own: string[]
  others: string[]
}

/** Lines before any heading are from versions that wrote none, and taken for those of this cluster. */
function readWaiting(path: string, identity: string): WaitingTexts {
  const texts: WaitingTexts = { own: [], others: [] }
  let cluster = identity
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const next = clusterNamedBy(line)
    cluster = next ?? cluster
    if (line === '' || next === identity) continue
    texts[cluster === identity ? 'own' : 'others'].push(line)
  }
  return texts
}

function clusterNamedBy(line: string): string | undefined {
  if (!line.startsWith('{"cluster":')) return undefined
  try {
    return heading.parse(JSON.parse(line)).cluster
  } catch {
    // Cut off by a crash.
    return undefined
  }
}

/**
 * How many of the latest lines others may have got in the meantime and are moved by those that come late: the leader waits
 * with its own lines for as long as this takes. A line from before all of these is put before them.
 */
const mostMoved = 20_000

/** Milliseconds between two statements meanwhile, after which PostgreSQL takes this server for one that stands still. */
const idleMs = 5000

interface StoredLine {
  number: number
  ends: number
  line: string
}

const storedLine = ([number, ends, line]: readonly (string | null)[]): StoredLine => ({
  number: Number(number),
  ends: Number(ends),
  line: line ?? '',
})

/**
 * Brings the lines that an earlier process of this server has left into PostgreSQL, each to its place in time, also while
 * another server leads. Those that arrived after all are there once. The file is gone after that, unless it holds lines of
 * another cluster, which stay for a server that works with that one.
 * @returns how many lines there were to bring, and how many stay
 * @throws the error of PostgreSQL, with the file as it was
 */
export async function bringWaitingLines(
  place: PostgresPlace,
  path: string,
): Promise<{ brought: number; staying: number }> {
  if (!existsSync(path)) return { brought: 0, staying: 0 }
  return withConnection(place, 'audit', async (client) => {
    const identity = (await readCluster(client, place))?.identity
    // Nobody has led yet: what the file holds is of another cluster, or comes when this server leads.
    if (identity === undefined) return { brought: 0, staying: 0 }
    const { own: waiting, others } = readWaiting(path, identity)
    const staying = others.filter((line) => clusterNamedBy(line) === undefined).length
    if (waiting.length === 0) {
      if (others.length === 0) rmSync(path)
      return { brought: 0, staying }
    }
    const older = await olderAmong(client, place, waiting)
    await run(client, `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`)
    // Whoever leads writes no line meanwhile.
    await run(client, `LOCK TABLE ${quotedSchema(place)}.audit_line IN SHARE ROW EXCLUSIVE MODE`, copyMs)
    const brought = await merge(client, place, waiting, older)
    await run(client, 'COMMIT')
    if (others.length === 0) rmSync(path)
    else replaceFile(path, `${others.join('\n')}\n`, 0o600)
    return { brought, staying }
  })
}

/** Those of these lines that are there and are no longer among the latest ones. All are read for it, so before the lock. */
async function olderAmong(client: Client, place: PostgresPlace, lines: readonly string[]): Promise<StoredLine[]> {
  const target = `${quotedSchema(place)}.audit_line`
  const texts = lines.map((line) => literalOf(line, { name: 'line', type: 'text' }))
  const rows = await readRows(
    client,
    `SELECT number, ends, line FROM ${target} WHERE number <= (SELECT max(number) FROM ${target}) - ${mostMoved}
     AND line IN (SELECT unnest(ARRAY[${texts.join()}]::text[]))`,
    [],
    copyMs,
  )
  return rows.map(storedLine)
}

async function merge(
  client: Client,
  place: PostgresPlace,
  waiting: readonly string[],
  older: readonly StoredLine[],
): Promise<number> {
  const target = `${quotedSchema(place)}.audit_line`
  const rows = await readRows(
    client,
    `SELECT number, ends, line FROM ${target} ORDER BY number DESC LIMIT ${mostMoved}`,
    [],
    copyMs,
  )
  const stored = rows.map(storedLine).reverse()
  const oldest = stored[0]?.number ?? 0
  const late = notIn(
    waiting,
    [...older.filter(({ number }) => number < oldest), ...stored].map(({ line }) => restoredText(line)),
  )
  const [first] = late
  if (first === undefined) return 0
  const from = stored.findIndex(({ line }) => timeOf(line) > first.time)
  const moved = from < 0 ? [] : stored.slice(from)
  const [next] = moved
  const last = stored.at(-1)
  const before = next
    ? { number: next.number - 1, ends: next.ends - Buffer.byteLength(restoredText(next.line)) - 1 }
    : { number: last?.number ?? 0, ends: last?.ends ?? 0 }
  await run(client, `DELETE FROM ${target} WHERE number > ${before.number}`, copyMs)
  const lines = inOrder(
    moved.map(({ line }) => restoredText(line)),
    late,
  )
  for (const statement of auditLineStatements(target, lines, before)) await run(client, statement, copyMs)
  return late.length
}

interface LateLine {
  time: string
  line: string
}

/** The lines without those that are among the others, each as often as it is there, in the order of their time. */
function notIn(lines: readonly string[], others: readonly string[]): LateLine[] {
  const counts = new Map<string, number>()
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1)
  let time = ''
  const all = lines.map((line): LateLine => {
    // One that a crash has cut off stays behind the one before it.
    time = timeOf(line) || time
    return { time, line }
  })
  const late = all.filter(({ line }) => {
    const count = counts.get(line) ?? 0
    counts.set(line, count - 1)
    return count <= 0
  })
  return late.sort((one, other) => (one.time < other.time ? -1 : Number(one.time > other.time)))
}

/** Both as one row; those that are there keep their order, and come first at the same time. */
function inOrder(present: readonly string[], late: readonly LateLine[]): string[] {
  const lines: string[] = []
  const rest = late.values()
  let next = rest.next()
  for (const line of present) {
    for (; !next.done && next.value.time < timeOf(line); next = rest.next()) lines.push(next.value.line)
    lines.push(line)
  }
  for (; !next.done; next = rest.next()) lines.push(next.value.line)
  return lines
}

/** As every line begins (`AuditLine`); one that is damaged has no time, and nothing is put before it. */
const timeOf = (line: string): string => /^\{"at":"([^"]{24})"/.exec(line)?.[1] ?? ''
