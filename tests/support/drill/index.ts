import type { Extension } from '../server/routes/extension.ts'
import { entities as texts } from './i18n/entities/index.ts'
import { drillPlugin } from './server/drill/drillPlugin.ts'
import { resources } from './src/resources/index.ts'
import { entities } from './src/schemas/index.ts'

/** The worked example of `docs/guides/add-an-entity.md`, added to the console as the guide says. */
export const withDrills: Extension = { entities, resources, texts, plugin: drillPlugin }
