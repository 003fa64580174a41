import type { Extension } from '../server/extension.ts'
import { resources as german } from './i18n/de-DE/resources.ts'
import { resources as english } from './i18n/en-US/resources.ts'
import { resources as italian } from './i18n/it/resources.ts'
import { resources as simplified } from './i18n/zh-CN/resources.ts'
import { resources as traditional } from './i18n/zh-TW/resources.ts'
import { registerMaintenance } from './server/maintenance/routes.ts'
import { resources } from './src/resources/index.ts'
import { entities } from './src/schemas/index.ts'

/** The worked example of `docs/guides/add-an-entity.md`, added to the console as the guide says. */
export const withMaintenance: Extension = {
  entities,
  resources,
  texts: {
    'en-US': { resources: english },
    it: { resources: italian },
    'zh-CN': { resources: simplified },
    'zh-TW': { resources: traditional },
    'de-DE': { resources: german },
  },
  register: registerMaintenance,
}
