import type { Store } from '../../db/store.ts'
import { boundName } from '../oauth2/providers.ts'

interface Binding {
  id: number
  user_id: number
  /** In small letters. */
  provider: string
  /** The account's id at the provider. */
  account: string
}

/** Which accounts at providers sign in whom: one account per person and provider, one person per account. */
export interface Bindings {
  /** Provider in small letters -> account, as a profile shows it. Also of providers that are no longer configured. */
  of(userId: number): Record<string, string>
  /** Whether somebody could still sign in without a password, with or without one of the providers. */
  letIn(userId: number, withoutProvider?: string): boolean
  /** The person whom an account signs in. */
  holder(provider: string, account: string): number | undefined
  /** Binds; an account that was somebody else's is now this person's. */
  bind(userId: number, provider: string, account: string): void
  unbind(userId: number, provider: string): void
  /** Everything about people who are gone. */
  forget(userIds: readonly number[]): void
}

/** @param configured the names of the providers there are */
export function createBindings(store: Store, configured: Iterable<string>): Bindings {
  const usable = new Set([...configured].map(boundName))
  const table = store.table<Binding>({
    name: 'oauth2_bind',
    columns: [
      { name: 'user_id', type: 'INTEGER' },
      { name: 'provider', type: 'TEXT' },
      { name: 'account', type: 'TEXT' },
    ],
  })
  const remove = (rows: readonly Binding[]) => table.remove(rows.map(({ id }) => id))

  return {
    of: (userId) =>
      Object.fromEntries(table.find({ user_id: userId }).map(({ provider, account }) => [provider, account])),
    letIn: (userId, without = '') =>
      table.find({ user_id: userId }).some(({ provider }) => usable.has(provider) && provider !== boundName(without)),
    holder: (provider, account) => table.find({ provider: boundName(provider), account })[0]?.user_id,
    bind(userId, name, account) {
      const provider = boundName(name)
      store.transaction(() => {
        remove([...table.find({ provider, account }), ...table.find({ user_id: userId, provider })])
        table.insert({ user_id: userId, provider, account })
      })
    },
    unbind(userId, name) {
      remove(table.find({ user_id: userId, provider: boundName(name) }))
    },
    forget(userIds) {
      remove(userIds.flatMap((userId) => table.find({ user_id: userId })))
    },
  }
}
