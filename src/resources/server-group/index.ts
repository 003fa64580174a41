import { defineResource } from '../../engine/define/defineResource.ts'
import { serverGroup } from '../../schemas/serverGroup.ts'

export default defineResource(serverGroup, {
  columns: ['id', 'name', 'servers'],
  filters: ['name', 'servers'],
})
