import { createHash, randomInt } from 'node:crypto'
import type { Store } from '../../db/store.ts'

interface CodeRow {
  id: number
  user_id: number
  hash: string
}

/** Codes for people who have lost their phone. Each works once. */
export interface RecoveryCodes {
  /** New ones in place of all earlier ones. Only their hashes are stored. */
  renew(userId: number): string[]
  /** Uses a code up. @returns whether it was one of this user */
  use(userId: number, code: string): boolean
  count(userId: number): number
  remove(userId: number): void
}

const codesPerUser = 10
/** Letters and digits that are not mistaken for one another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
/** 16 characters: about 79 bits, so that a plain hash cannot be guessed. */
const groups = 4
const groupLength = 4

export function createRecoveryCodes(store: Store): RecoveryCodes {
  const table = store.table<CodeRow>({
    name: 'recovery_code',
    columns: [
      { name: 'user_id', type: 'INTEGER' },
      { name: 'hash', type: 'TEXT' },
    ],
  })
  /** Used codes whose rows may not be deleted yet. Ids are never given twice. */
  const usedIds = new Set<number>()
  const remove = (rows: readonly CodeRow[]) => table.remove(rows.map(({ id }) => id))

  return {
    renew(userId) {
      const codes = Array.from({ length: codesPerUser }, newCode)
      store.urgently(() => {
        remove(table.find({ user_id: userId }))
        for (const code of codes) table.insert({ user_id: userId, hash: hashOf(code) })
      })
      return codes
    },
    use(userId, code) {
      const rows = table.find({ user_id: userId, hash: hashOf(code) }).filter(({ id }) => !usedIds.has(id))
      for (const { id } of rows) usedIds.add(id)
      store.eventually(() => void remove(rows))
      return rows.length > 0
    },
    count: (userId) => table.count({ user_id: userId }),
    remove: (userId) => void store.urgently(() => remove(table.find({ user_id: userId }))),
  }
}

function newCode(): string {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** People type codes with or without dashes, and in capitals. */
const hashOf = (code: string) =>
  createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('base64')
