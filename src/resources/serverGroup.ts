import { serverGroup } from '../schemas/serverGroup.ts'
import { defineResource } from './engine/define/defineResource.ts'

export default defineResource(serverGroup, {
  columns: ['id', 'name', 'servers'],
  filters: ['name', 'servers'],
})
