import type { RoleAssignment } from '../../../src/schemas/define/access.ts'
import type { TeamRole } from '../../../src/schemas/endpoints/roleAndTeamEndpoints.ts'
import { server } from '../../../src/schemas/server.ts'
import { serverGroup } from '../../../src/schemas/serverGroup.ts'
import type { Store } from '../../db/store.ts'
import { entityTable } from '../../entities/entityTable.ts'
import { ApiError } from '../../wire/apiCall.ts'

interface Missing {
  part: 'groups' | 'servers'
  /** 'server id 9' */
  what: string
}

/** The servers and groups for which roles are given. */
interface RoleScopes {
  /** A role without what was deleted; none where nothing is left. */
  ofPresent<Given extends RoleAssignment | TeamRole>(given: Given): Given[]
  /** The first thing in it that does not exist, with the part of the scope that it is in; nothing where all does. */
  missingIn(given: RoleAssignment | TeamRole): Missing | undefined
  /** @throws ApiError that names what does not exist */
  checkScope(given: RoleAssignment | TeamRole): void
}

export function createRoleScopes(store: Store): RoleScopes {
  const servers = entityTable(store, server)
  const groups = entityTable(store, serverGroup)

  function missingIn({ scope }: RoleAssignment | TeamRole): Missing | undefined {
    if (typeof scope === 'string') return undefined
    const group = scope.groups.find((id) => !groups.get(id))
    if (group !== undefined) return { part: 'groups', what: `server group id ${group}` }
    const single = scope.servers.find((id) => !servers.get(id))
    return single === undefined ? undefined : { part: 'servers', what: `server id ${single}` }
  }

  return {
    missingIn,
    ofPresent(given) {
      const { scope } = given
      if (typeof scope === 'string') return [given]
      const present = {
        groups: scope.groups.filter((id) => groups.get(id)),
        servers: scope.servers.filter((id) => servers.get(id)),
      }
      return present.groups.length + present.servers.length > 0 ? [{ ...given, scope: present }] : []
    },
    checkScope(given) {
      const missing = missingIn(given)
      if (missing) throw new ApiError(`${missing.part}: ${missing.what} does not exist`)
    },
  }
}

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
