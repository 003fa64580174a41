import { Client, type ClientConfig, Pool } from 'pg'
import { unreadableError } from '../storeError.ts'
import { answerMs, isRefused, type PostgresPlace, plainConfig, settingsStatement } from './connection.ts'

/** Reads rows for people, on connections of its own: nothing that is written waits for it. */
export interface Reader {
  /**
   * Rows, each as the texts of its columns.
   * @throws an error that `isUnreadable` knows, when PostgreSQL cannot be reached or does not answer in time, and when too
   *   many reads wait already; any other one is a fault, which the log has to show
   */
  rows(statement: string, values?: readonly (string | number | null)[]): Promise<(string | null)[][]>
  close(): void
}

/** Connections at once, reads that wait for one, and milliseconds of a read. */
const most = { connections: 3, waiting: 200, ms: 10_000 }

/**
 * Fails when it connects and not when it is made, as for want of a file that DATABASE_URL names: the pool also makes
 * connections in callbacks of others, where what is thrown would end the process.
 */
class PooledClient extends Client {
  // biome-ignore lint/correctness/noUnreachableSuper: one that throws has made nothing, so the other is the first.
  constructor(config?: ClientConfig) {
    try {
      super(config)
    } catch (error) {
      super()
      const connect = (done: (error: unknown) => void) => process.nextTick(done, error)
      Object.assign(this, { connect })
    }
  }
}

export function openReader(place: PostgresPlace, nodeId: string): Reader {
  const pool = new Pool({
    ...plainConfig(place, nodeId),
    Client: PooledClient,
    connectionTimeoutMillis: answerMs,
    max: most.connections,
    // For a connection that is dead without a word.
    query_timeout: most.ms + answerMs,
    allowExitOnIdle: true,
    onConnect: async (client) => {
      await client.query(`${settingsStatement}; SET statement_timeout = ${most.ms}`)
      if (client instanceof PooledClient) await place.timeline?.check(client)
    },
  })
  pool.on('error', () => {})
  return {
    async rows(statement, values = []) {
      if (pool.waitingCount >= most.waiting) throw unreadableError()
      try {
        const { rows } = await pool.query<(string | null)[]>({ text: statement, values: [...values], rowMode: 'array' })
        return rows
      } catch (error) {
        throw isRefused(error) ? error : unreadableError(error)
      }
    },
    close: () => void pool.end().catch(() => {}),
  }
}
