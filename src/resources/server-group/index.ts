import { defineResource } from '../../engine/define/defineResource.ts'
import { serverGroup } from '../../schemas/serverGroup.ts'

export default defineResource(serverGroup, {
  columns: ['id', 'name', 'servers'],
  card: { beside: [], metrics: ['servers'], below: [] },
  filters: ['name', 'servers'],
})
