import type { Client } from 'pg'
import { errorMessage } from '../../../src/domain/errors.ts'
import { createSerialQueue } from '../../concurrency/serialQueue.ts'
import { awayError } from '../storeError.ts'
import { connect, drop, isFenced, isRefused, type PostgresPlace, quotedSchema, readRows, run } from './connection.ts'
import { historyPrefix } from './historyTables.ts'

/**
 * Writes the history of a leader, on a connection of its own and one statement after the other, so that it never holds up
 * what is written of rows.
 */
export interface HistoryWriter {
  /** Runs statements that change nothing when they are run twice, all of them or none. */
  run(statements: readonly string[]): Promise<void>
  /**
   * Runs statements that must not be run twice, all of them or none. One that fails may have been run or not: it is tried
   * again before anything else is.
   * @param onTaken called when it will not get lost any more; one that throws before was not run
   */
  runOnce(statements: readonly string[], onTaken: () => void): Promise<void>
  /** Tries again what may have been run or not, if there is any. */
  settle(): Promise<void>
  rows(statement: string): Promise<(string | null)[][]>
  /** Waits until it has been connected once, and `prepare` has been run. */
  ready(): Promise<void>
  close(): void
}

interface HistoryWriterOptions {
  place: PostgresPlace
  nodeId: string
  term: number
  /** Called once with each connection: makes what is missing, and reads what is there. */
  prepare(run: (statement: string) => Promise<(string | null)[][]>): Promise<void>
}

/** Milliseconds of a batch, of any other statement, and of its wait for a lock: nobody must wait behind one that waits. */
const [batchMs, statementMs, lockMs] = [20_000, 120_000, 2000]

/**
 * All calls throw an error that `writeObstacle` knows while PostgreSQL cannot be reached; after another node has begun to
 * lead, they do nothing.
 */
export function openHistoryWriter({ place, nodeId, term, prepare }: HistoryWriterOptions): HistoryWriter {
  const schema = quotedSchema(place)
  let client: Client | undefined
  /** Number of the last batch that is in PostgreSQL. */
  let batch = 0
  let unsure: string | undefined
  let isEnded = false
  let isPrepared = false
  /** One after the other: PostgreSQL does one thing at a time on a connection. */
  const inTurn = createSerialQueue()

  async function open(): Promise<Client> {
    const next = await connect(place, nodeId)
    next.once('end', () => {
      if (client === next) client = undefined
    })
    try {
      await run(next, `SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs}`)
      await readRows(
        next,
        `INSERT INTO ${schema}.${historyPrefix}lead AS present (term, batch) VALUES ($1, 0)
         ON CONFLICT (id) DO UPDATE SET term = excluded.term, batch = 0 WHERE present.term < excluded.term`,
        [term],
      )
      const [row] = await readRows(next, `SELECT term, batch FROM ${schema}.${historyPrefix}lead`)
      if (Number(row?.[0]) !== term) throw new Fenced('another node leads')
      const found = Number(row?.[1])
      // What was under way when the connection ended has arrived.
      if (found > batch) unsure = undefined
      batch = found
      await run(next, `SELECT ${schema}.check_history(${term})`)
      await prepare((statement) => readRows(next, statement, [], statementMs))
      isPrepared = true
      return next
    } catch (error) {
      drop(next)
      throw error
    }
  }

  const inOrder = <T>(work: (client: Client) => Promise<T>): Promise<T | undefined> =>
    inTurn(async () => {
      if (isEnded) return undefined
      try {
        client ??= await open()
        // Closed meanwhile.
        if (isEnded) return end()
        if (unsure !== undefined) await sendUnsure(client)
        return await work(client)
      } catch (error) {
        if (error instanceof Fenced || isFenced(error)) return end()
        if (isRefused(error)) throw error
        drop(client)
        client = undefined
        throw Object.assign(awayError(), {
          cause: error,
          message: `the database cannot be reached (${errorMessage(error)})`,
        })
      }
    })

  async function sendUnsure(on: Client): Promise<void> {
    if (unsure === undefined) return
    try {
      await run(on, unsure, batchMs)
      batch++
      unsure = undefined
    } catch (error) {
      // It would be refused for ever.
      if (isRefused(error) && !isFenced(error)) unsure = undefined
      throw error
    }
  }

  function end(): undefined {
    isEnded = true
    drop(client)
    client = undefined
  }

  return {
    async run(statements) {
      await inOrder((on) =>
        run(on, [`SELECT ${schema}.check_history(${term})`, ...statements].join(';\n'), statementMs),
      )
    },
    async runOnce(statements, onTaken) {
      await inOrder(async (on) => {
        onTaken()
        unsure = [`SELECT ${schema}.begin_history(${term}, ${batch + 1})`, ...statements].join(';\n')
        await sendUnsure(on)
      })
    },
    async settle() {
      if (unsure !== undefined) await inOrder(async () => {})
    },
    rows: async (statement) => (await inOrder((on) => readRows(on, statement, [], statementMs))) ?? [],
    async ready() {
      if (!isPrepared) await inOrder(async () => {})
    },
    close: end,
  }
}

class Fenced extends Error {}
