import { useTranslate } from 'react-admin'
import type { Right, RoleId } from '../../schemas/define/access.ts'
import type { Role } from '../../schemas/endpoints/roleEndpoints.ts'

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
