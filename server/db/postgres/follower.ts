import { constants, type DatabaseSync } from 'node:sqlite'
import type { Client } from 'pg'
import type { Log } from '../../log.ts'
import type { PostgresColumn } from './columnTypes.ts'
import { type PostgresPlace, quotedSchema, readRows } from './connection.ts'
import { loadCopy, markOfCommit, readTables } from './copy.ts'

/** A copy of all rows that follows the log. */
export interface Follower {
  /** Takes over what was committed since the last call; the first call, and one after too long a time, reads everything. */
  follow(client: Client): Promise<void>
  /** Number of the last commit in the copy; `undefined` before there is one. */
  applied(): number | undefined
  /** Hands the copy over: nobody follows any more. */
  take(client: Client): Promise<{ database: DatabaseSync; tables: Map<string, PostgresColumn[]>; lastCommit: number }>
  close(): void
}

/** Commits of one look at the log. */
const atOnce = 500

export function createFollower(place: PostgresPlace, log: Pick<Log, 'warn'>): Follower {
  /** `mark` tells the last commit from another one with the same number; '' where the log does not have it. */
  let copy: { database: DatabaseSync; lastCommit: number; mark: string } | undefined

  async function load(client: Client): Promise<void> {
    close()
    copy = await loadCopy(client, place)
  }

  function close(): void {
    copy?.database.close()
    copy = undefined
  }

  /** @returns how many commits there were; `undefined` when the copy cannot follow them */
  async function applyNext(client: Client): Promise<number | undefined> {
    if (!copy) return undefined
    const rows = await readRows(
      client,
      `SELECT number, statements, CASE WHEN number > $1 THEN changes END, last_commit, ${markOfCommit} FROM ${quotedSchema(place)}.cluster
       LEFT JOIN ${quotedSchema(place)}.commit_log ON number >= $1 AND number <= $2 ORDER BY number`,
      [copy.lastCommit, copy.lastCommit + atOnce],
    )
    const isOwn = ([number]: (typeof rows)[number]) => Number(number) === copy?.lastCommit
    const own = rows.find(isOwn)
    const there = Number(rows[0]?.[3])
    // After a restore, or a failover of PostgreSQL that has lost some, others have the numbers of those that are gone.
    const isOther = (own?.[4] ?? '') !== copy.mark
    // Where the log does not have it any more, this copy is only too old.
    if (there < copy.lastCommit || (isOther && own))
      log.warn(
        `PostgreSQL has lost changes that this server has a copy of (${there < copy.lastCommit ? `it has ${there} of ${copy.lastCommit}` : `it has another change ${copy.lastCommit}`}), as after a failover to a replica that lagged behind, or a restore. What was saved last is gone, and this server reads everything anew.`,
      )
    if (isOther) return undefined
    const commits = rows.filter((row) => row[0] !== null && !isOwn(row))
    if (commits.length === 0) return there === copy.lastCommit ? 0 : undefined
    for (const [number, statements, changes, , mark] of commits) {
      if (Number(number) !== copy.lastCommit + 1) return undefined
      for (const statement of JSON.parse(statements ?? '[]')) copy.database.exec(statement)
      const bytes = Buffer.from((changes ?? '').slice(2), 'hex')
      if (
        bytes.length > 0 &&
        !copy.database.applyChangeset(bytes, { onConflict: () => constants.SQLITE_CHANGESET_ABORT })
      )
        return undefined
      copy.lastCommit++
      copy.mark = mark ?? ''
    }
    return commits.length
  }

  async function follow(client: Client): Promise<void> {
    if (!copy) await load(client)
    for (;;) {
      const count = await applyNext(client)
      if (count === undefined) await load(client)
      if (count === 0) return
    }
  }

  return {
    follow,
    applied: () => copy?.lastCommit,
    async take(client) {
      await follow(client)
      if (!copy) throw new Error('there is no copy to hand over')
      const tables = await readTables(client, place, copy.database)
      const taken = { ...copy, tables }
      copy = undefined
      return taken
    },
    close,
  }
}
