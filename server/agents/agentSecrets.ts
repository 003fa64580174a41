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
  return {
    used(uuid, user_id) {
      if (agents.saved.get(uuid)?.user_id !== user_id) agents.save([[uuid, { uuid, user_id }]])
    },
    uuidsOf: (userId) => [...agents.saved.values()].flatMap(({ uuid, user_id }) => (user_id === userId ? [uuid] : [])),
    remove: (uuids) => agents.save(uuids.flatMap((uuid) => (agents.saved.has(uuid) ? [[uuid, undefined]] : []))),
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
  }
}
