import { defineResource } from '../../engine/define/defineResource.ts'
import { warning } from '../../engine/define/form.ts'
import { serverShare } from '../../schemas/serverShare.ts'

const isBlank = (ids: readonly unknown[] | null | undefined) => !ids?.length

export default defineResource(serverShare, {
  columns: ['id', 'name', 'users', 'servers', 'server_groups', 'updated_at'],
  card: { beside: [], metrics: ['users', 'servers'], below: ['updated_at'] },
  filters: ['name', 'users', 'servers', 'server_groups'],
  notes: [
    warning('no_users', ({ users }) => isBlank(users)),
    warning('no_servers', ({ servers, server_groups }) => isBlank(servers) && isBlank(server_groups)),
  ],
})
