import { roles } from '../../../src/schemas/define/access.ts'
import type { ResidentTable } from '../../db/table.ts'
import { ApiError } from '../../wire/apiCall.ts'
import type { Bindings } from './oauth2Bindings.ts'
import type { User } from './users.ts'

/** What a change takes away. */
export interface Leaving {
  /** Ids of users who are deleted or disabled, or administrators no more. */
  users?: readonly number[]
  /** The name of a provider that lets in nobody from then on. */
  provider?: string
  /** The id of a provider that loses what its rules gave: whom they made administrators are none from then on. */
  rulesOf?: number
  /** A user who loses their account at a provider, by its name. */
  binding?: { user: number; provider: string }
  /** The id of a user who loses their last passkey. */
  passkeys?: number
}

/** Administrators who can sign in. The last one of them stays, whatever takes away administrators or their ways in. */
export interface Administrators {
  /** Whether an administrator stays who can sign in; where none could before, whether one stays at all. */
  staysOne(leaving: Leaving): boolean
  /** Refuses a change after which none would stay. @throws ApiError that says what to do */
  checkStaysOne(leaving: Leaving): void
}

interface Ways {
  users: Pick<ResidentTable<User>, 'all'>
  bindings: Pick<Bindings, 'canSignIn'>
  /** Whether passwords sign in nobody but those who were readmitted. */
  isOnlyWay(): boolean
  hasPasskey(userId: number): boolean
}

/** Whether somebody comes in by what is no provider, after a change. */
type Way = (user: User, leaving: Leaving) => boolean

export function createAdministrators({ users, bindings, isOnlyWay, hasPasskey }: Ways): Administrators {
  const byItself: Way = (user, { passkeys }) => !user.reject_password || (user.id !== passkeys && hasPasskey(user.id))
  const letInAgain: Way = (user, leaving) => user.readmitted && byItself(user, leaving)

  /**
   * What lets an administrator in beside a provider, from the strictest on; what nobody has before a change does not keep
   * anybody from it. While providers are the only way, whom the operator of the machine let in again is an exception, which
   * the setting ends: it is no reason to close the way of the others.
   */
  const furtherWays = (): Way[] => [...(isOnlyWay() ? [() => false, letInAgain] : [byItself]), () => true]

  function isLeft(mayComeIn: Way, leaving: Leaving): boolean {
    const { provider, binding, rulesOf } = leaving
    return users.all().some((user) => {
      if (user.role !== roles.admin || user.disabled || leaving.users?.includes(user.id)) return false
      // Where passwords count, the last one who has one stays an administrator: see `demote` in `signInFromOutside.ts`.
      if (rulesOf !== undefined && user.administrator_by === rulesOf && isOnlyWay()) return false
      const lost = [provider, binding?.user === user.id ? binding.provider : undefined]
      return mayComeIn(user, leaving) || bindings.canSignIn(user.id, lost)
    })
  }

  const staysOne = (leaving: Leaving) =>
    furtherWays().every((mayComeIn) => isLeft(mayComeIn, leaving) || !isLeft(mayComeIn, {}))

  return {
    staysOne,
    checkStaysOne(leaving) {
      if (staysOne(leaving)) return
      throw new ApiError(isOnlyWay() ? noOneByProvider : noOne)
    },
  }
}

const noOneByProvider =
  'no administrator could come in any more: let passwords sign in again first, or have another administrator bind an account at an enabled provider'
const noOne =
  'no administrator could come in any more: let another one have a password, or an account at an enabled provider, first'
