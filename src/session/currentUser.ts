import type { UserIdentity } from 'ra-core'

/** The signed-in user as screens need it, which is all of a profile that the browser stores. */
export interface CurrentUser extends UserIdentity {
  id: number
  fullName: string
  role: number
  loginIp?: string
  /** When the account was made, as the server says it. */
  createdAt?: string
  /** See `troubles` of a profile; as of the start of the page. */
  troubles?: number
}

/** A profile as servers send it: old ones leave out an admin's role. */
interface WireProfile {
  id: number
  username?: string
  role?: number
  login_ip?: string
  created_at?: string
  troubles?: number
}

/** Takes from a profile what screens need, and none of its secrets. */
export const userFromProfile = ({ id, username = '', role = 0, ...profile }: WireProfile): CurrentUser => ({
  id,
  fullName: username,
  role,
  ...(profile.login_ip && { loginIp: profile.login_ip }),
  ...(profile.created_at && { createdAt: profile.created_at }),
  ...(profile.troubles !== undefined && { troubles: profile.troubles }),
})

const storageKey = 'wheelhouse.person'

/** The user of this tab. In other tabs somebody else may have signed in meanwhile. */
let current: CurrentUser | undefined

export const currentUser = () => current

/**
 * Names the account and its server: behind one address there may be another server tomorrow, and it has a user 1 too.
 * `undefined` while nobody is signed in.
 */
export const currentAccount = (): string | undefined => current && `${current.id} ${current.createdAt ?? ''}`

/** Whether this tab belongs to another user, or to the same one with another role. */
export const isOtherUser = ({ id, role }: Pick<CurrentUser, 'id' | 'role'>) =>
  current !== undefined && (current.id !== id || current.role !== role)

/** Sets the user of this tab, and stores them for the next start. */
export function setCurrentUser(user: CurrentUser): void {
  current = user
  try {
    localStorage.setItem(storageKey, JSON.stringify(user))
  } catch {
    // Without local storage the next start asks the server, as it does anyway.
  }
}

/** The id of the last user in any tab. */
export function lastUserId(): number | undefined {
  try {
    return (JSON.parse(localStorage.getItem(storageKey) ?? 'null') as CurrentUser | null)?.id
  } catch {
    return undefined
  }
}

export function forgetCurrentUser(): void {
  current = undefined
  try {
    localStorage.removeItem(storageKey)
  } catch {
    // Nothing was stored.
  }
}
