import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

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
