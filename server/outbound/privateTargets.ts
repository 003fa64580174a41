import { roles } from '../../src/schemas/define/access.ts'

interface Options {
  /** A user's role; `undefined` when there is no such user any more. */
  roleOf: (id: number) => number | undefined
  /** Whether members' records may lead behind this server too. */
  allowPrivateTargets?: boolean
}

/**
 * Whether the record of an owner may name targets behind this server. Administrators have a shell here anyway;
 * members only have what the start allows them.
 */
export type MayReachInside = (ownerId: number) => boolean

export const createReach =
  ({ roleOf, allowPrivateTargets = false }: Options): MayReachInside =>
  (ownerId) =>
    allowPrivateTargets || roleOf(ownerId) === roles.admin
