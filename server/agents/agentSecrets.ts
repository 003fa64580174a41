import { createHash } from 'node:crypto'
import { keyedRows } from '../db/keyedRows.ts'
import type { Store } from '../db/store.ts'

/** Which agents use the secrets of users, and the secrets from before. */
export interface AgentSecrets {
  /** The agent has used the secret of this user; 0 for a secret of its own. */
  used(uuid: string, userId: number): void
  /** The agents that use the secret of a user. */
  uuidsOf(userId: number): string[]
  remove(uuids: readonly string[]): void
  /** A secret that was valid once: who still uses it is refused, but does not attack. */
  retire(secret: string): void
  isRetired(secret: string): boolean
  /** Writes what has not been written yet. */
  close(): void
}

interface AgentRow {
  id: number
  uuid: string
  user_id: number
}

interface RetiredRow {
  id: number
  hash: string
}

/** So many secrets that were renewed are remembered; beyond it the oldest is forgotten. */
const maxRetired = 1000

/** Milliseconds in which agents that come are written together: each write waits for the disk. */
const writeAfterMs = 1000

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

export function openAgentSecrets(store: Store): AgentSecrets {
  const agents = keyedRows<AgentRow, string>(
    store,
    {
      name: 'agent',
      columns: [
        { name: 'uuid', type: 'TEXT', unique: true },
        { name: 'user_id', type: 'INTEGER' },
      ],
    },
    ({ uuid }) => uuid,
  )
  const retired = store.table<RetiredRow>({ name: 'retired_agent_secret', columns: [{ name: 'hash', type: 'TEXT' }] })
  /** What is not on the disk yet. After a crash the agents say it again. */
  const changed = new Map<string, Omit<AgentRow, 'id'>>()
  let timer: NodeJS.Timeout | undefined

  function write(): void {
    clearTimeout(timer)
    timer = undefined
    agents.save([...changed])
    changed.clear()
  }

  function writeSoon(): void {
    timer ??= setTimeout(() => {
      try {
        write()
      } catch {
        // The disk is full, which is told elsewhere: tried again until it is not.
        writeSoon()
      }
    }, writeAfterMs)
  }

  return {
    used(uuid, user_id) {
      const present = changed.get(uuid) ?? agents.saved.get(uuid)
      if (present?.user_id === user_id) return
      changed.set(uuid, { uuid, user_id })
      writeSoon()
    },
    uuidsOf: (userId) =>
      [...new Map([...agents.saved, ...changed]).values()].flatMap(({ uuid, user_id }) =>
        user_id === userId ? [uuid] : [],
      ),
    remove(uuids) {
      for (const uuid of uuids) changed.delete(uuid)
      agents.save(uuids.flatMap((uuid) => (agents.saved.has(uuid) ? [[uuid, undefined]] : [])))
    },
    retire(secret) {
      retired.insert({ hash: hashOf(secret) })
      retired.remove(
        retired
          .all()
          .slice(0, -maxRetired)
          .map(({ id }) => id),
      )
    },
    isRetired: (secret) => retired.find({ hash: hashOf(secret) }).length > 0,
    close: write,
  }
}
