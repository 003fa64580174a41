import type { TeamRole } from '../../../src/schemas/endpoints/teamEndpoints.ts'

/** Characters of the roles in a line of the audit log. */
const maxWords = 512

/** Roles as a line of the audit log has them. */
export const rolesInWords = (given: readonly TeamRole[]) =>
  given
    .map(({ role, scope }) =>
      typeof scope === 'string'
        ? `${role} for ${scope}`
        : `${role} for groups ${scope.groups.join(' ')} servers ${scope.servers.join(' ')}`,
    )
    .join('; ')
    .slice(0, maxWords)
