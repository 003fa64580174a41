import { roles as wireRoles } from '../../../src/schemas/define/access.ts'
import { takeFrom } from './applyGroups.ts'
import type { OutsidePerson, OutsideServices } from './outsidePerson.ts'

interface OwnAccount extends Pick<OutsidePerson, 'subject' | 'address'> {
  /** Its `id` is that in the database; 0 for one of the file. */
  provider: { id: number; name: string }
}

/**
 * Binds an account at a provider to a person, which takes it from whoever had it.
 * @throws ApiError when that is the last administrator who can sign in
 */
export function bindAccount(
  { auth, audit, now }: Pick<OutsideServices, 'auth' | 'audit' | 'now'>,
  person: { id: number; username: string },
  { provider, subject, address }: OwnAccount,
): void {
  const { bindings, administrators, users } = auth
  const before = bindings.userOf(provider.name, subject)
  const isOther = before !== undefined && before !== person.id
  // Another administrator comes in by it from then on.
  if (isOther && users.get(person.id)?.role !== wireRoles.admin) {
    administrators.checkStaysOne({ binding: { user: before, provider: provider.name } })
  }
  auth.store.urgently(() => {
    bindings.bind(person.id, provider.name, subject)
    if (before === person.id) return
    // What the account gave that they had, and what this one gave to whom it is taken from.
    for (const id of [person.id, before]) if (id !== undefined) takeFrom({ auth, now }, provider.id, id)
  })
  audit.write({ action: 'oauth2.bind', person, address, target: provider.name })
}
