import { action } from '../../engine/define/action.ts'
import { column, defineResource } from '../../engine/define/defineResource.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { nat } from '../../schemas/nat.ts'

export default defineResource(nat, {
  columns: [
    'id',
    'enabled',
    'name',
    'server_id',
    'host',
    'domain',
    column('awaits_release', { announced: 'nat_release' }),
  ],
  card: { beside: [], metrics: ['enabled', 'server_id'], below: ['domain'] },
  filters: ['name', 'server_id', 'host', 'domain', 'enabled'],
  form: ['name', 'server_id', 'host', 'domain', 'enabled'],
  rowActions: [
    action('release', endpoints.releaseNat, {
      announced: 'nat_release',
      when: ({ awaits_release }) => Boolean(awaits_release),
      confirm: true,
    }),
    'edit',
    'delete',
  ],
})
