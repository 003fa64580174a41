import { agentSecretHash } from '../auth/users/furtherAgentSecrets.ts'
import type { Store } from '../db/store.ts'
import { keyedTable, writeBehind } from '../db/writeBehind.ts'

/** Which agents use the secrets of users, and which secrets were renewed. */
export interface AgentSecrets {
  /** Records that the agent has used the secret of this user; 0 for a secret of its own. */
  used(uuid: string, userId: number): void
  /** The agents that use the secret of a user. */
  uuidsOf(userId: number): string[]
  remove(uuids: readonly string[]): void
  /** Remembers hashes of renewed secrets: agents that still use them are refused, but not counted as attackers. */
  retire(hashes: readonly string[]): void
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

/** How many renewed secrets are remembered; beyond it the oldest is forgotten. */
const maxRetired = 1000

/** After the first start of a large fleet thousands are written; others are served between the parts. */
const rowsPerWrite = 500

/** @param onFailure called when agents could not be written, once until writing succeeds again */
export function openAgentSecrets(store: Store, onFailure: (error: unknown) => void): AgentSecrets {
  const agents = keyedTable<AgentRow, string>(
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
  /** Rows that are not on the disk yet. After a crash, agents that connect again bring them back. */
  const changed = new Map<string, Omit<AgentRow, 'id'>>()
  const writer = writeBehind(write, onFailure, { retry: true, isLeft: () => changed.size > 0 })

  function write(): void {
    const part: [string, Omit<AgentRow, 'id'>][] = []
    for (const one of changed) {
      if (part.length === rowsPerWrite) break
      part.push(one)
    }
    agents.save(part)
    for (const [uuid] of part) changed.delete(uuid)
  }

  return {
    used(uuid, user_id) {
      const present = changed.get(uuid) ?? agents.saved().get(uuid)
      if (present?.user_id === user_id) return
      changed.set(uuid, { uuid, user_id })
      writer.schedule()
    },
    uuidsOf: (userId) =>
      [...new Map([...agents.saved(), ...changed]).values()].flatMap(({ uuid, user_id }) =>
        user_id === userId ? [uuid] : [],
      ),
    remove(uuids) {
      for (const uuid of uuids) changed.delete(uuid)
      agents.save(uuids.flatMap((uuid) => (agents.saved().has(uuid) ? [[uuid, undefined]] : [])))
    },
    retire(hashes) {
      for (const hash of hashes) retired.insert({ hash })
      retired.remove(
        retired
          .all()
          .slice(0, -maxRetired)
          .map(({ id }) => id),
      )
    },
    isRetired: (secret) => retired.find({ hash: agentSecretHash(secret) }).length > 0,
    close: writer.flush,
  }
}
