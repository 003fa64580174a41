import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../db/store.ts'
import { type RecordsOf, registerCrud } from './crud.ts'
import type { EntityHooks } from './entityHooks.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** By entity name: what each feature adds to the records of its entities. Read when `crud` is registered. */
    entityHooks: Map<string, EntityHooks>
    /** The records of an entity, for what changes several of them at once. */
    recordsOf: RecordsOf
  }
}

/** Where features put the hooks of their entities. */
export const entityHooksPlugin = fp(async (app: FastifyInstance) => void app.decorate('entityHooks', new Map()), {
  name: 'entity-hooks',
})

/** The features that have entities with hooks: without one of them its records would be plain ones. */
const featuresWithHooks = [
  'auth',
  'audit',
  'account',
  'machines',
  'nat',
  'notifications',
  'tasks',
  'alerts',
  'services',
  'ddns',
]

/** The routes of every entity. */
export const crudPlugin = fp(
  async (app: FastifyInstance, { store }: { store: Store }) => {
    const { guard, recordsPerMember } = app
    const hooks = Object.fromEntries(app.entityHooks)
    app.decorate('recordsOf', registerCrud(app, { store, guard, recordsPerMember, hooks }))
  },
  { name: 'crud', dependencies: ['entity-hooks', 'site', ...featuresWithHooks] },
)
