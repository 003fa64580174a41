import { useGetMany, useTranslate } from 'react-admin'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { byId, type TextContext } from '../../records/queryRows.ts'
import { allows, type Right, type RoleId } from '../../schemas/define/access.ts'
import type { Role } from '../../schemas/endpoints/roleAndTeamEndpoints.ts'
import { user } from '../../schemas/user.ts'

type Translate = (key: string) => string

/** The name of a role: built-in ones are called as people say it. */
export const nameOfRole = ({ id, name }: Role, translate: Translate) =>
  typeof id === 'string' ? translate(`app.roles.names.${id}`) : name

/** Names roles by their ids; one that was deleted is `#3`. @param roles all that there are */
export function useRoleNames(roles: readonly Role[]): (id: RoleId) => string {
  const translate = useTranslate()
  return (id) => {
    const found = roles.find((one) => one.id === id)
    return found ? nameOfRole(found, translate) : `#${id}`
  }
}

/** A role with what it lets somebody do. */
export const roleInWords = (role: Role, translate: Translate) =>
  `${nameOfRole(role, translate)}: ${typeof role.id === 'string' ? translate(`app.roles.help.${role.id}`) : rightsInWords(role.rights, translate)}`

/** The names of rights, as 'See, Act'. */
export const rightsInWords = (rights: readonly Right[], translate: Translate) =>
  rights.map((right) => translate(`app.roles.rights.${right}`)).join(', ')

/** A user's name and id, as `admin #1`; only the id if this person may not list users, or for a deleted user. */
export function useUserName(id: number | undefined): string {
  const { identity } = useIdentity()
  const mayRead = allows(identity?.role, user.access.list)
  const { data } = useGetMany('user', { ids: [id] }, { enabled: id !== undefined && mayRead })
  const name = data?.find((one) => one?.id === id)?.username
  return name ? `${name} #${id}` : `#${id}`
}

/** A user's name and id, as `admin #1`; only the id where the names of users are not readable, or for a deleted one. */
export function userNameIn({ related }: Pick<TextContext, 'related'>, id: number): string {
  const name = byId(related('user')).get(String(id))?.username
  return name ? `${name} #${id}` : `#${id}`
}
