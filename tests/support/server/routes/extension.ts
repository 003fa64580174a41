import type { FastifyPluginAsync } from 'fastify'
import type { Locale } from '../../../../i18n/locales.ts'
import type { TextTree } from '../../../../i18n/mergeTexts.ts'
import type { Store } from '../../../../server/db/store.ts'
import type { ResourceEntry } from '../../../../src/engine/define/page.tsx'
import { resources } from '../../../../src/resources/index.ts'
import type { Entity } from '../../../../src/schemas/define/entity.ts'
import { entities } from '../../../../src/schemas/index.ts'

/** What somebody who adds entities to the console adds: both index files, the texts, and routes in the server. */
export interface Extension {
  /** All entities, the console's own included. */
  entities: Readonly<Record<string, Entity>>
  /** All screens, the console's own included. */
  resources: readonly ResourceEntry[]
  /** The texts of its entities. */
  textsIn: (locale: Locale) => TextTree
  /** The plug-in with its endpoints. CRUD routes come by themselves. */
  plugin?: FastifyPluginAsync<{ store: Store }>
}

/** The console as it is. */
export const nothingAdded: Extension = {
  entities,
  resources,
  textsIn: () => ({}),
}
