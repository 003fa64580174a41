import type { OwnedRecords } from '../../api/ownedRecords.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import type { Auth } from '../auth.ts'
import type { SignInProvider } from '../providers/kinds.ts'

/** What of a provider counts for a sign-in. One of `oauth2.json` has the id 0, makes no accounts, and has no rules. */
export type OutsideProvider = Pick<SignInProvider, 'id' | 'name' | 'create_accounts' | 'groups'>

/** Somebody whom a provider has identified. */
export interface OutsidePerson {
  provider: OutsideProvider
  /** The id of the account, which begins with the identity of the provider where it has one. */
  subject: string
  /** What the provider calls them. */
  username?: string
  /** The groups that they are in now; `undefined` when the provider says nothing about groups. */
  groups?: readonly string[]
  /** The visitor's IP address. */
  address: string
}

export interface OutsideServices {
  auth: Auth
  audit: Pick<AuditLog, 'write'>
  owned: Pick<OwnedRecords, 'limit'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}
