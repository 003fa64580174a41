import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'

/** Ends all sessions behind the back of a running server, as a change of password in another place does. */
export function endSessions(dataDir: string): void {
  changeData(dataDir, 'DELETE FROM session')
}

/** Changes the database of a server, running or not. @param statement one SQL statement */
export function changeData(dataDir: string, statement: string): void {
  const database = new DatabaseSync(join(dataDir, 'wheelhouse.db'), { timeout: 5000 })
  database.exec(statement)
  database.close()
}

/** Makes as if everybody had last proved an hour ago who they are. */
export function ageProofs(dataDir: string): void {
  changeData(dataDir, 'UPDATE session SET proved = 1')
}

/** Waits until the machine of a running server has its row: a server answers before it has read its first metrics. */
export async function waitForOwnMachine(dataDir: string): Promise<void> {
  const database = new DatabaseSync(join(dataDir, 'wheelhouse.db'), { timeout: 5000 })
  const row = database.prepare(
    `SELECT id FROM server WHERE uuid = (SELECT json ->> '$' FROM "value" WHERE name = 'machine uuid')`,
  )
  const limit = AbortSignal.timeout(60_000)
  while (!row.get()) await wait(20, undefined, { signal: limit })
  database.close()
}
