import type { RoleAssignment } from '../../../src/schemas/define/roles.ts'
import type { TeamRole } from '../../../src/schemas/endpoints/teamEndpoints.ts'
import { server } from '../../../src/schemas/server.ts'
import { serverGroup } from '../../../src/schemas/serverGroup.ts'
import type { Store } from '../../db/store.ts'
import { entityTable } from '../../entities/entityTable.ts'
import { ApiError } from '../../wire/apiError.ts'

/** The servers and groups for which roles are given. */
interface RoleScopes {
  /** A role without what was deleted; none where nothing is left. */
  ofPresent<Given extends RoleAssignment | TeamRole>(given: Given): Given[]
  /** @throws ApiError that names what does not exist */
  checkScope(given: RoleAssignment | TeamRole): void
}

export function createRoleScopes(store: Store): RoleScopes {
  const servers = entityTable(store, server)
  const groups = entityTable(store, serverGroup)
  return {
    ofPresent(given) {
      const { scope } = given
      if (typeof scope === 'string') return [given]
      const present = {
        groups: scope.groups.filter((id) => groups.get(id)),
        servers: scope.servers.filter((id) => servers.get(id)),
      }
      return present.groups.length + present.servers.length > 0 ? [{ ...given, scope: present }] : []
    },
    checkScope({ scope }) {
      if (typeof scope === 'string') return
      const group = scope.groups.find((id) => !groups.get(id))
      if (group !== undefined) throw new ApiError(`groups: server group id ${group} does not exist`)
      const single = scope.servers.find((id) => !servers.get(id))
      if (single !== undefined) throw new ApiError(`servers: server id ${single} does not exist`)
    },
  }
}
