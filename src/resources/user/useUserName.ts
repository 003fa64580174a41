import { useGetMany } from 'react-admin'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { allows } from '../../schemas/define/access.ts'
import { user } from '../../schemas/user.ts'

/** A user's name and id, as `admin #1`; only the id if this person may not list users, or for a deleted user. */
export function useUserName(id: number | undefined): string {
  const { identity } = useIdentity()
  const mayRead = allows(identity?.role, user.access.list)
  const { data } = useGetMany('user', { ids: [id] }, { enabled: id !== undefined && mayRead })
  const name = data?.find((one) => one?.id === id)?.username
  return name ? `${name} #${id}` : `#${id}`
}
