import { allows } from '../../../schemas/define/access.ts'
import { user } from '../../../schemas/user.ts'
import { useIdentity } from '../../parts/identity.tsx'
import { useNames } from './useNames.tsx'

/** Names of people by id. Members know only their own: they may not list users. */
export function usePersonName(ids: readonly number[]): (id: number) => string {
  const { identity } = useIdentity()
  const mayList = allows(identity?.role, user.access.list)
  const nameOf = useNames('user', mayList ? ids : [])
  return (id) =>
    mayList ? nameOf(id) : String(identity?.id) === String(id) ? (identity?.fullName ?? `#${id}`) : `#${id}`
}
