import { defineResource } from '../../resources/engine/define/defineResource.ts'
import { siteSetting } from '../../schemas/settings/siteSetting.ts'

/** The settings as the engine's dialogs know a record; there is one, and no list of it. */
export const settingDefinition = defineResource(siteSetting, {
  menu: false,
  columns: [],
  rowActions: [],
  bulkActions: [],
  nameField: 'site_name',
})
