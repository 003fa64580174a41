import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { errorMessage } from '../../../src/domain/errors.ts'
import { untilSo } from '../../concurrency/untilSo.ts'
import type { Log } from '../../log.ts'
import { readOperations } from '../changesetRows.ts'
import type { Replication, SchemaChange } from '../replication.ts'
import { awayError, crowdedError, tooLargeError } from '../storeError.ts'
import { changeStatements } from './changeStatements.ts'
import { literalOf, type PostgresColumn, quoteName, typeOfColumn } from './columnTypes.ts'
import {
  adviceFor,
  changesChannel,
  connect,
  drop,
  isFenced,
  isRefused,
  type PostgresPlace,
  quotedSchema,
  readRows,
  replicaCode,
  run,
} from './connection.ts'
import { createStatement } from './copy.ts'
import { endOwnLock, lockNumber, readCluster } from './ownTables.ts'

/** Sends the commits of a leader to PostgreSQL, in their order and several in one round trip. */
export interface CommitWriter extends Replication {
  /** The term in which this node leads. */
  readonly term: number
  /** Number of the last commit, and of the last one that is in PostgreSQL. */
  numbers(): { last: number; durable: number }
  /** Milliseconds since PostgreSQL last said that this node leads. */
  silentMs(): number
  /**
   * Makes a commit of statements alone, for what is in no table of the store and no copy of it.
   * @param statements called only where there is room: a stranger may cause thousands of tries
   * @throws an error that `writeObstacle` knows, when too much waits already
   */
  append(statements: () => readonly string[]): void
  /**
   * Lets writes wait for PostgreSQL in place of refusing them while a server starts: nobody has been told of anything, so
   * that it may come true later, and a start that could not save would have to end.
   */
  whileStarting<T>(start: () => Promise<T>): Promise<T>
  /** Waits for a moment until everything is durable, then gives the lead back. */
  close(): Promise<void>
}

interface CommitWriterOptions {
  place: PostgresPlace
  nodeId: string
  /** A connection that holds the lock of the leader. */
  client: Client
  term: number
  /** Milliseconds of `performance.now()` before PostgreSQL was asked for the lead. */
  askedAt: number
  /** The number of the last commit before this leader. */
  lastCommit: number
  /** Of SQLite, by name. It is kept up to date. */
  tables: Map<string, PostgresColumn[]>
  log: Log
  /** Another node leads: this one must not go on. */
  onDemoted(): void
  /**
   * Milliseconds: for so long after PostgreSQL has confirmed it a node leads. Others wait for longer than `usualLeaseMs`
   * before they do, so only a node that has no others, as in tests on a busy machine, may have more.
   */
  leaseMs?: number
}

/** See `CommitWriterOptions`. */
export const usualLeaseMs = 5000
/** Milliseconds between two confirmations, while there are no commits. */
export const renewMs = 1000
/** Milliseconds between two tries to reach PostgreSQL again. */
const retryMs = 300
/** Milliseconds that the end of a process waits for commits. */
const lastWaitMs = 1000
/** Characters that the slowest network brings to PostgreSQL in a millisecond: a larger round trip has more time. */
const slowest = 64
/** Commits and characters of one round trip, and of what may wait. */
const most = { commits: 500, characters: 512 * 1024, waitingCommits: 20_000, waitingCharacters: 64 * 1024 ** 2 }
/**
 * Bytes that a transaction may change. They travel as text twice, as rows and for the copies of followers, in one string of
 * at most 512 MiB.
 */
const mostChanges = 128 * 1024 ** 2
/** Characters of its statements: where texts are full of quotes and backslashes, each takes two. */
const mostCharacters = 500 * 1024 ** 2
/** Commits that stay in the log for followers, and (below) between two times that older ones are deleted. */
export const keptCommits = 20_000
const trimEvery = 1000

interface Commit {
  number: number
  /** A row of the log, as SQL. */
  entry: string
  statements: readonly string[]
  characters: number
}

interface Waiting {
  number: number
  /** Whether it must not happen unless this node leads. */
  needsLease: boolean
  act(): void
}

export function createCommitWriter(options: CommitWriterOptions): CommitWriter {
  const { place, nodeId, term, tables, log, onDemoted, leaseMs = usualLeaseMs } = options
  // An answer after the lease would confirm nothing.
  const answerMs = leaseMs - 1000
  const schema = quotedSchema(place)
  const queue: Commit[] = []
  let queuedCharacters = 0
  let client: Client | undefined = options.client
  let last = options.lastCommit
  let durable = options.lastCommit
  let trimmed = options.lastCommit
  // Not now: the rows of a large database have been read since.
  let renewedAt = options.askedAt
  let isSending = false
  /** Whether a turn has something to send when it is over. */
  let isDue = false
  let isStarting = false
  let isEnded = false
  /** What the log says of the loss that lasts. */
  const told = new Set<string>()
  /** Of tables and columns that were made since the last commit: in SQLite, and in PostgreSQL. */
  const made = { statements: [] as string[], here: [] as string[] }
  let waiting: Waiting[] = []

  const isLeading = () => !isEnded && performance.now() - renewedAt < leaseMs
  const isAway = () => client === undefined || !isLeading()

  function confirm(at: number, isWriting: boolean): void {
    renewedAt = at
    // With a full disk it confirms the lead and takes no commit.
    if (!isWriting) return
    if (told.size > 0) log.info('PostgreSQL is there again.')
    told.clear()
  }

  /** Lets happen what only waited for this. */
  function release(): void {
    const before = waiting
    waiting = []
    // What one of them adds comes behind the others.
    waiting = [...before.filter((one) => !happens(one)), ...waiting]
  }

  function happens({ number, needsLease, act }: Waiting): boolean {
    const isDue = needsLease ? number <= durable && isLeading() : number <= durable || isAway()
    if (isDue) act()
    return isDue
  }

  function wait(act: () => void, needsLease: boolean): void {
    const one = { number: last, needsLease, act }
    if (!happens(one)) waiting.push(one)
  }

  function end(): void {
    if (isEnded) return
    isEnded = true
    clearInterval(timer)
    drop(client)
    client = undefined
  }

  function demote(): void {
    if (isEnded) return
    end()
    onDemoted()
  }

  function statementsOf(batch: readonly Commit[]): string {
    const [first] = batch
    const number = batch.at(-1)?.number ?? 0
    const trims = number - trimmed >= trimEvery
    if (trims) trimmed = number
    return [
      `SELECT ${schema}.begin_commits(${term}, ${first?.number}, ${batch.length})`,
      `INSERT INTO ${schema}.commit_log (number, term, statements, changes) VALUES ${batch.map(({ entry }) => entry).join(', ')}`,
      ...batch.flatMap(({ statements }) => statements),
      ...(trims ? [`DELETE FROM ${schema}.commit_log WHERE number < ${number - keptCommits}`] : []),
      `NOTIFY ${changesChannel(place)}`,
    ].join(';\n')
  }

  function nextBatch(): Commit[] {
    let characters = 0
    const end = queue.findIndex((commit, index) => {
      characters += commit.characters
      return index >= most.commits || (index > 0 && characters > most.characters)
    })
    return queue.slice(0, end < 0 ? undefined : end)
  }

  function taken(upTo: number): void {
    while (queue[0] && queue[0].number <= upTo) queuedCharacters -= queue.shift()?.characters ?? 0
    durable = Math.max(durable, upTo)
  }

  /** Sends what there is; without anything, asks whether this node still leads. */
  async function send(): Promise<void> {
    if (isSending || isEnded) return
    isSending = true
    try {
      do {
        // After a slow round trip the lead is confirmed first: without it, nobody can save.
        const batch = isLeading() ? nextBatch() : []
        const at = performance.now()
        try {
          client ??= await regain()
          // The lead was given back meanwhile: the next one needs the lock.
          if (isEnded) return void drop(client)
          const statements = batch.length > 0 ? statementsOf(batch) : `SELECT ${schema}.renew(${term})`
          await run(client, statements, answerMs + statements.length / slowest)
          taken(batch.at(-1)?.number ?? durable)
          confirm(at, batch.length > 0 || queue.length === 0)
          release()
        } catch (error) {
          if (isFenced(error)) return demote()
          await lost(error)
        }
      } while (queue.length > 0 && !isEnded)
    } finally {
      isSending = false
    }
  }

  async function lost(error: unknown): Promise<void> {
    drop(client)
    client = undefined
    if (isEnded) return
    tell(error)
    release()
    await delay(retryMs)
  }

  /** Says each thing once: it is tried again several times in a second. */
  function tell(error: unknown): void {
    const message = errorMessage(error)
    const advice = isRefused(error) ? message : (adviceFor(place, error) ?? 'away')
    if (told.has(advice)) return
    told.add(advice)
    if (isRefused(error)) log.error('PostgreSQL refuses what this server has saved:', error)
    else
      log.warn(
        `PostgreSQL cannot be reached (${message}): nothing can be saved until it can${advice === 'away' ? '' : `; ${advice}`}.`,
      )
  }

  /** Takes the lock again. What was under way may have arrived or not. */
  async function regain(): Promise<Client> {
    const next = await connect(place, nodeId)
    try {
      const [row] = await readRows(next, `SELECT pg_try_advisory_lock(${lockNumber(place)}), pg_is_in_recovery()`)
      // It may lag behind, and has lost nothing.
      if (row?.[1] === 't') throw Object.assign(new Error('it is in recovery'), { code: replicaCode })
      const state = await readCluster(next, place)
      // After a restore, or a failover that lost some, the number of a term may be given twice.
      const isOwnTerm = state?.term === term && state.node === nodeId
      if (state && (state.term < term || (isOwnTerm && state.lastCommit < durable))) {
        const lost = isOwnTerm ? `it has ${state.lastCommit} of ${durable}` : 'it does not know that this server leads'
        log.error(
          `PostgreSQL has lost changes that it had confirmed: ${lost}, as after a failover to a replica that lagged behind, or a restore. What was saved last is gone, and this server goes on with what is there.`,
        )
        throw new Demoted('the database is older than this leader')
      }
      if (!isOwnTerm) throw new Demoted('another node leads')
      if (row?.[0] !== 't') {
        await endOwnLock(next, place, nodeId)
        throw new Error('the connection from before has not ended yet')
      }
      await run(next, `UPDATE ${schema}.cluster SET backend = pg_backend_pid() WHERE term = ${term}`)
      taken(Math.min(state.lastCommit, last))
      return next
    } catch (error) {
      drop(next)
      if (error instanceof Demoted) demote()
      throw error
    }
  }

  /** @param log what followers take of it, as SQL */
  function push(statements: readonly string[], log: string): void {
    last++
    const entry = `(${last}, ${term}, ${log})`
    const characters = charactersOf(statements, entry)
    queue.push({ number: last, entry, statements, characters })
    queuedCharacters += characters
    sendSoon()
  }

  /** After this turn: what a request saves, its line in the audit log included, shares a round trip. */
  function sendSoon(): void {
    if (isDue || isSending) return
    isDue = true
    setImmediate(() => {
      isDue = false
      void send()
    })
  }

  const isCrowded = () => queue.length > most.waitingCommits || queuedCharacters > most.waitingCharacters

  function postgresStatements({ definition: { name }, added, isNew }: SchemaChange): string[] {
    const columns = added.map((column): PostgresColumn => ({ name: column.name, type: typeOfColumn[column.type] }))
    if (isNew) {
      const all: PostgresColumn[] = [{ name: 'id', type: 'bigint' }, ...columns]
      tables.set(name, all)
      return [createStatement(schema, name, all)]
    }
    tables.set(name, [...(tables.get(name) ?? []), ...columns])
    return added.map((column, place) => {
      const type = typeOfColumn[column.type]
      const text = column.type === 'JSON' ? JSON.stringify(column.initial) : column.initial
      const initial = column.initial == null ? '' : ` DEFAULT ${literalOf(storedInitial(text), { name, type })}`
      return `ALTER TABLE ${schema}.${quoteName(name)} ADD COLUMN ${quoteName(columns[place]?.name ?? '')} ${type}${initial}`
    })
  }

  const timer = setInterval(() => void send(), renewMs)
  timer.unref()
  if (!isLeading()) void send()

  return {
    term,
    numbers: () => ({ last, durable }),
    silentMs: () => performance.now() - renewedAt,
    isAway,
    mostChanges,
    isDurable: () => durable === last,
    assertWritable() {
      if (isEnded || (isAway() && !isStarting)) throw awayError()
      if (isCrowded()) throw crowdedError()
    },
    async untilWritable(ms) {
      const isWritable = () => !isAway() && !isCrowded()
      await untilSo(ms, () => isWritable() || isEnded)
      return isWritable()
    },
    changedSchema(change) {
      made.statements.push(...change.statements)
      made.here.push(...postgresStatements(change))
    },
    prepare(changes) {
      if (changes.length > mostChanges) throw tooLargeError('changes', changes.length, mostChanges)
      const [madeStatements, madeHere] = [[...made.statements], [...made.here]]
      if (changes.length === 0 && madeHere.length === 0) return undefined
      const statements = [
        ...madeHere,
        ...madeStatements.map(
          (text) => `INSERT INTO ${schema}.schema_statement (statement) VALUES (${literalOf(text, textColumn)})`,
        ),
        ...changeStatements(readOperations(changes), schema, tables),
      ]
      const log = `${literalOf(JSON.stringify(madeStatements), textColumn)}, ${literalOf(Buffer.from(changes), bytesColumn)}`
      // Longer than a string may be, it could never be sent, nor anything after it.
      const characters = charactersOf(statements, log)
      if (characters > mostCharacters) throw tooLargeError('sends', characters, mostCharacters)
      return () => {
        made.statements.splice(0, madeStatements.length)
        made.here.splice(0, madeHere.length)
        push(statements, log)
      }
    },
    append(statements) {
      if (isEnded) throw awayError()
      if (isCrowded()) throw crowdedError()
      push(statements(), "'[]', ''")
    },
    async whileStarting(start) {
      isStarting = true
      try {
        return await start()
      } finally {
        isStarting = false
      }
    },
    whenDurable: (act) => wait(act, true),
    whenShown: (show) => wait(show, false),
    durable(ms) {
      const number = last
      return new Promise((resolve) => {
        const giveUp = setTimeout(() => resolve(durable >= number), ms)
        wait(() => {
          clearTimeout(giveUp)
          resolve(durable >= number)
        }, false)
      })
    },
    async close() {
      await untilSo(lastWaitMs, () => durable >= last || isEnded)
      try {
        // So that the next one need not wait until this one can lead no more, nor look for it.
        if (client && durable === last)
          await run(
            client,
            `UPDATE ${schema}.cluster SET node = NULL, heartbeat = NULL WHERE term = ${term};
             SELECT pg_advisory_unlock(${lockNumber(place)});
             NOTIFY ${changesChannel(place)}`,
          )
      } catch {
        // It is no longer there; the next one waits.
      }
      end()
    },
  }
}

const charactersOf = (statements: readonly string[], entry: string) =>
  statements.reduce((sum, text) => sum + text.length, entry.length)

class Demoted extends Error {}

const textColumn: PostgresColumn = { name: 'statement', type: 'text' }
const bytesColumn: PostgresColumn = { name: 'changes', type: 'bytea' }

const storedInitial = (value: unknown): number | string => {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'number' ? value : String(value)
}
