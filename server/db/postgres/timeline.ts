import { readFileSync } from 'node:fs'
import { type Client, DatabaseError } from 'pg'
import { z } from 'zod'
import { replaceFile } from '../../replaceFile.ts'

/**
 * What a server has seen of PostgreSQL: a replica that is promoted begins a new timeline, so a primary of before, in whose
 * place it leads, has a lower one. Whoever worked with both would have two truths.
 */
export interface TimelineMemory {
  /**
   * Looks at a new connection. What is not told, as by other databases that speak as PostgreSQL does, is not looked at.
   * Where it leads to another PostgreSQL than those that are open, as after an address was moved, those are ended.
   * @throws an error with `staleCode` for a primary of before
   */
  check(client: Client): Promise<void>
}

/** Our own code of an error: PostgreSQL is one in whose place another one was promoted. */
export const staleCode = 'WHEELHOUSE_STALE'

const seenSchema = z.object({ system: z.string(), timeline: z.int() })

interface TimelineMemoryOptions {
  /** Whether what is seen now is kept. Default: it is; a program beside the server may run as another user. */
  isKept?: boolean
  /** Called when it cannot be kept: this process knows it all the same, and its next one does not. */
  onUnkept?(error: unknown): void
}

/** @param file where it is kept from start to start */
export function openTimelineMemory(
  file: string,
  { isKept = true, onUnkept = () => {} }: TimelineMemoryOptions = {},
): TimelineMemory {
  let seen = readSeen(file)
  /** Those to what was seen last. */
  const open = new Set<Client>()

  function keep(next: z.output<typeof seenSchema>): void {
    seen = next
    // They would stay at a primary of before for as long as that one runs, also the one on which everything is saved.
    for (const client of open) client.connection.stream.destroy()
    open.clear()
    if (!isKept) return
    try {
      replaceFile(file, JSON.stringify(next), 0o600)
    } catch (error) {
      onUnkept(error)
    }
  }

  return {
    async check(client) {
      const found = await readTimeline(client)
      if (!found) return
      const { system, timeline } = found
      if (seen?.system === system && timeline < seen.timeline) {
        const message = `it is a primary of before: this server has worked with timeline ${seen.timeline} of it, since a replica was promoted, and this one has ${timeline}`
        throw Object.assign(new Error(message), { code: staleCode })
      }
      if (seen?.system !== system || timeline > seen.timeline) keep({ system, timeline })
      open.add(client)
      client.once('end', () => open.delete(client))
    },
  }
}

function readSeen(file: string): z.output<typeof seenSchema> | undefined {
  try {
    return seenSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // Not there yet, or not whole: then what is connected to first counts.
    return undefined
  }
}

async function readTimeline(client: Client): Promise<{ system: string; timeline: number } | undefined> {
  try {
    // The name of the file that is written begins with it. A replica writes none, and is refused for that elsewhere.
    const { rows } = await client.query<[string, string]>({
      text: `SELECT system_identifier::text, left(pg_walfile_name(pg_current_wal_lsn()), 8)
        FROM pg_control_system() WHERE NOT pg_is_in_recovery()`,
      rowMode: 'array',
    })
    const [row] = rows
    return row && { system: row[0], timeline: Number.parseInt(row[1], 16) }
  } catch (error) {
    if (error instanceof DatabaseError) return undefined
    throw error
  }
}
