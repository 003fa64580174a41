import { readTexts } from '../console/texts.ts'
import type { Extension } from '../server/routes/extension.ts'
import { drillPlugin } from './server/drill/drillPlugin.ts'
import { resources } from './src/resources/index.ts'
import { entities } from './src/schemas/index.ts'

/** The worked example of `docs/guides/add-an-entity.md`, added to the console as the guide says. */
export const withDrills: Extension = {
  entities,
  resources,
  textsIn: (locale) => readTexts(`tests/support/drill/i18n/${locale}`),
  plugin: drillPlugin,
}
