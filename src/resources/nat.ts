import { nat } from '../schemas/nat.ts'
import { defineResource } from './engine/define/defineResource.ts'

export default defineResource(nat, {
  columns: ['id', 'enabled', 'name', 'server_id', 'host', 'domain'],
  filters: ['name', 'server_id', 'host', 'domain', 'enabled'],
  form: ['name', 'server_id', 'host', 'domain', 'enabled'],
})
