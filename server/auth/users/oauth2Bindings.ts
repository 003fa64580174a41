import type { Store } from '../../db/store.ts'

/** Bindings name providers in lower case, as the wire does. */
export const bindingName = (provider: string) => provider.toLowerCase()

interface Binding {
  id: number
  user_id: number
  /** In lower case. */
  provider: string
  /** The account's id at the provider. */
  account: string
}

/** What bindings have to know of a configured provider. */
export interface BoundProvider {
  name: string
  /** How the ids of its accounts begin: another one was bound when another provider had the name. */
  accountPrefix: string
}

/** Which OAuth2 accounts sign in which user: one account per user and provider, one user per account. */
export interface Bindings {
  /**
   * Account by provider in lower case, as a profile shows it. Includes providers that are no longer configured, and leaves
   * out accounts that a configured one does not know: they can be bound anew.
   */
  ofUser(userId: number): Record<string, string>
  /** Whether a user could still sign in without a password. @param without names of providers that do not count */
  canSignIn(userId: number, without?: readonly (string | undefined)[]): boolean
  /** The id of the user whom an account signs in. */
  userOf(provider: string, account: string): number | undefined
  /** The ids of the users who have bound an account at a provider. */
  usersOf(provider: string): number[]
  /** A provider has another name from now on. */
  rename(provider: string, to: string): void
  /** Deletes all bindings of a provider. */
  removeProvider(provider: string): void
  /** An account that was bound to another user is taken from them. */
  bind(userId: number, provider: string, account: string): void
  unbind(userId: number, provider: string): void
  /** Deletes all bindings of deleted users. */
  removeUsers(userIds: readonly number[]): void
}

/** @param configured the providers by which people can sign in now */
export function createBindings(store: Store, configured: () => Iterable<BoundProvider>): Bindings {
  const prefixes = () => new Map([...configured()].map(({ name, accountPrefix }) => [bindingName(name), accountPrefix]))
  const table = store.table<Binding>({
    name: 'oauth2_bind',
    columns: [
      { name: 'user_id', type: 'INTEGER' },
      { name: 'provider', type: 'TEXT' },
      { name: 'account', type: 'TEXT' },
    ],
  })
  const isKnown = ({ provider, account }: Binding) => account.startsWith(prefixes().get(provider) ?? '')
  const remove = (rows: readonly Binding[]) => table.remove(rows.map(({ id }) => id))

  return {
    ofUser: (userId) =>
      Object.fromEntries(
        table
          .find({ user_id: userId })
          .filter(isKnown)
          .map(({ provider, account }) => [provider, account]),
      ),
    canSignIn(userId, without = []) {
      const lost = without.map((name) => bindingName(name ?? ''))
      return table
        .find({ user_id: userId })
        .some((row) => prefixes().has(row.provider) && isKnown(row) && !lost.includes(row.provider))
    },
    userOf: (provider, account) => table.find({ provider: bindingName(provider), account })[0]?.user_id,
    usersOf: (provider) => table.find({ provider: bindingName(provider) }).map(({ user_id }) => user_id),
    rename(name, to) {
      const provider = bindingName(to)
      if (provider === bindingName(name)) return
      for (const { id } of table.find({ provider: bindingName(name) })) table.update(id, { provider })
    },
    removeProvider: (provider) => remove(table.find({ provider: bindingName(provider) })),
    bind(userId, name, account) {
      const provider = bindingName(name)
      store.transaction(() => {
        remove([...table.find({ provider, account }), ...table.find({ user_id: userId, provider })])
        table.insert({ user_id: userId, provider, account })
      })
    },
    unbind(userId, name) {
      store.urgently(() => remove(table.find({ user_id: userId, provider: bindingName(name) })))
    },
    removeUsers(userIds) {
      remove(userIds.flatMap((userId) => table.find({ user_id: userId })))
    },
  }
}
