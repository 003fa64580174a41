import type { RoleAssignment } from '../../../src/schemas/define/roles.ts'

/** Whether it is the role that the wire knows as 0. */
export const isWholeAdministrator = ({ role, scope }: RoleAssignment) => role === 'administrator' && scope === 'all'

/** Characters of the roles in a line of the audit log. */
const maxWords = 512

/** Roles as a line of the audit log has them. */
export const rolesInWords = (given: readonly RoleAssignment[]) =>
  given
    .map(({ role, scope }) =>
      scope === 'all'
        ? `${role} for all`
        : `${role} for groups ${scope.groups.join(' ')} servers ${scope.servers.join(' ')}`,
    )
    .join('; ')
    .slice(0, maxWords)
