import { createHash } from 'node:crypto'
import type { Store } from '../../db/store.ts'

/** Secrets beside a user's own with which agents are this user's, as those of a server that was imported. */
export interface FurtherAgentSecrets {
  /** The id of the user whose agents have this secret. */
  ownerOf(secret: string): number | undefined
  /** To be called in a transaction. @returns its hash */
  add(userId: number, secret: string): string
  remove(hashes: readonly string[]): void
  /** All of these users. To be called in a transaction. @returns their hashes */
  removeUsers(userIds: readonly number[]): string[]
}

interface SecretRow {
  id: number
  user_id: number
  hash: string
}

/** What is stored of a secret that is only ever compared. */
export const agentSecretHash = (secret: string) => createHash('sha256').update(secret).digest('base64url')

export function furtherAgentSecrets(store: Store): FurtherAgentSecrets {
  const table = store.resident<SecretRow>({
    name: 'further_agent_secret',
    columns: [
      { name: 'user_id', type: 'INTEGER' },
      { name: 'hash', type: 'TEXT', unique: true },
    ],
  })
  const byHash = table.index(({ hash }) => hash)
  const remove = (rows: readonly SecretRow[]) => table.remove(rows.map(({ id }) => id))
  return {
    ownerOf: (secret) => byHash().get(agentSecretHash(secret))?.user_id,
    add(user_id, secret) {
      const hash = agentSecretHash(secret)
      table.insert({ user_id, hash })
      return hash
    },
    remove: (hashes) => void remove(hashes.flatMap((hash) => byHash().get(hash) ?? [])),
    removeUsers(userIds) {
      const rows = userIds.flatMap((user_id) => table.find({ user_id }))
      remove(rows)
      return rows.map(({ hash }) => hash)
    },
  }
}
