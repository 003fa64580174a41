import { type Client, DatabaseError } from 'pg'
import { StoreError } from '../storeError.ts'
import { afterWaiting, answerMs, changesChannel, connect, drop, type PostgresPlace, run } from './connection.ts'

/**
 * A pooler that gives each transaction another connection of PostgreSQL would let two nodes lead, and would tell none
 * of changes.
 * @param on a connection that listens for changes, of the node with this id
 * @throws StoreError when what this connection listens for does not reach it
 */
export async function refuseSharedConnection(on: Client, place: PostgresPlace, id: string): Promise<void> {
  const channel = changesChannel(place)
  let other: Client | undefined
  const told = new Promise<boolean>((resolve) => {
    on.on('notification', ({ payload }) => payload === id && resolve(true))
    afterWaiting(2 * answerMs, () => resolve(false))
  })
  try {
    other = await connect(place, id)
    await run(other, `NOTIFY ${channel}, '${id}'`)
  } catch (error) {
    // Of PgBouncer: query_wait_timeout.
    if (error instanceof DatabaseError && !error.code?.startsWith('08')) throw error
    throw new StoreError(
      'PostgreSQL has answered one connection of this server and not a second one: let the pooler in between, such as PgBouncer, give each server ten (default_pool_size).',
      { cause: error },
    )
  } finally {
    drop(other)
  }
  if (!(await told))
    throw new StoreError(
      'PostgreSQL does not keep a connection for this server: set the pooler in between, such as PgBouncer, to pool_mode = session for this database, or name PostgreSQL itself in DATABASE_URL. Who leads is a lock of a connection.',
    )
}
