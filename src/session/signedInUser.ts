import type { UserIdentity } from 'ra-core'

/** Who is signed in, as screens see it, and all of a profile that a browser keeps. */
export interface Person extends UserIdentity {
  id: number
  fullName: string
  role: number
  loginIp?: string
}

/** A profile as servers send it: old ones leave out an admin's role. */
interface ProfileFacts {
  id: number
  username?: string
  role?: number
  login_ip?: string
}

/** Takes from a profile what screens need, and none of its secrets. */
export const personOf = ({ id, username = '', role = 0, login_ip }: ProfileFacts): Person => ({
  id,
  fullName: username,
  role,
  ...(login_ip && { loginIp: login_ip }),
})

const storageKey = 'wheelhouse.person'

/** Whom this tab shows its screens to. Other tabs may have moved on to somebody else. */
let current: Person | undefined

export const currentPerson = () => current

/** Whether this tab belongs to somebody else, or to the same person with other rights. */
export const isSomebodyElse = ({ id, role }: Pick<Person, 'id' | 'role'>) =>
  current !== undefined && (current.id !== id || current.role !== role)

/** From now on this tab is this person's, and the browser remembers them for its next start. */
export function setPerson(person: Person): void {
  current = person
  try {
    localStorage.setItem(storageKey, JSON.stringify(person))
  } catch {
    // A browser without a store knows nobody at its next start, and asks the server as it would anyway.
  }
}

/** The id of the person who was here last, in any tab. */
export function lastPersonId(): number | undefined {
  try {
    return (JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Person | null)?.id
  } catch {
    return undefined
  }
}

export function forgetPerson(): void {
  current = undefined
  try {
    localStorage.removeItem(storageKey)
  } catch {
    // Nothing was kept.
  }
}
