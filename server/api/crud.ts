import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { Rule } from '../../src/schemas/define/access.ts'
import type { Entity, Verb, WriteVerb } from '../../src/schemas/define/entity.ts'
import { entities } from '../../src/schemas/index.ts'
import type { Store } from '../db/store.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import type { Form } from '../entities/row.ts'
import { addAuditDetails, auditTarget } from '../http/routes/auditAction.ts'
import { describeRoute, idList, schemaFor } from '../http/routes/openapi.ts'
import { success } from '../wire/envelope.ts'
import { readIds, readPathId, readQueryIds } from '../wire/readIds.ts'
import type { Behaviours } from './entityHooks.ts'
import { registerWindow } from './pagedLists.ts'
import { createRecords, type Records } from './records.ts'

export interface CrudServices {
  store: Store
  /** The hook that lets a request through or refuses it, and sets `request.person`. */
  guard: (rule: Rule) => onRequestAsyncHookHandler
  behaviours: Behaviours
  /** Default: all entities. */
  entities?: readonly Entity[]
}

/**
 * Registers the routes of every entity (docs/contract/CONTRACT.md#2-envelope-and-status-codes), as `entity.api` and
 * `entity.access` say. Bodies must come as text: what is wrong in them is said in the contract's words, which need what
 * was written.
 */
export function registerCrud(app: FastifyInstance, services: CrudServices): void {
  for (const entity of services.entities ?? Object.values(entities)) {
    const behaviour = services.behaviours[entity.name] ?? {}
    if (behaviour.window) registerWindow(app, entity, behaviour.window, services)
    else
      registerEntity(app, entity, behaviour.records ?? createRecords(entity, services.store, behaviour), services.guard)
  }
}

function registerEntity(app: FastifyInstance, entity: Entity, records: Records, guard: CrudServices['guard']): void {
  const { api, access } = entity
  const compiled = compileEntity(entity)
  const form = schemaFor(entity.form)
  const options = (verb: Verb, schema: { body?: Json; data?: Json }) => ({
    onRequest: guard(access[verb]),
    schema: describeRoute({ summary: `${verb} ${entity.name}`, tag: entity.name, access: access[verb], ...schema }),
    ...(verb !== 'list' && { config: { auditAction: `${entity.name}.${verb}` } }),
  })
  const can = (verb: WriteVerb) => api.verbs.includes(verb)

  app.get(`/api/v1/${api.listPath}`, options('list', { data: compiled.listSchema() }), ({ person, query }) =>
    success(records.list(person, readQueryIds(query))),
  )
  if (can('create')) {
    app.post(`/api/v1/${api.path}`, options('create', { body: form, data: { type: 'integer' } }), async (request) => {
      const given = compiled.readForm(request.body)
      const id = await records.create(request.person, given)
      addAuditDetails(request, { target: `${entity.name} ${id}`, ...calledBy(given) })
      return success(id)
    })
  }
  if (can('update')) {
    app.patch(`/api/v1/${api.path}/:id`, options('update', { body: form }), async (request) => {
      const id = readPathId(pathId(request))
      const given = compiled.readForm(request.body)
      addAuditDetails(request, { target: `${entity.name} ${id}`, ...calledBy(given) })
      return success(await records.update?.(request.person, id, given))
    })
  }
  if (can('delete')) {
    app.post(`/api/v1/batch-delete/${api.path}`, options('delete', { body: idList }), (request) => {
      const ids = readIds(request.body)
      addAuditDetails(request, { target: auditTarget(entity.name, ids) })
      records.remove(request.person, ids)
      return success()
    })
  }
}

type Json = Record<string, unknown>

/** The name that a record is given, so that the log can be read after the record is gone. */
function calledBy({ name, username }: Form): { detail?: { name: string } } {
  const given = name ?? username
  return typeof given === 'string' && given !== '' ? { detail: { name: given.slice(0, 128) } } : {}
}

const pathId = (request: FastifyRequest) => (request.params as { id: string }).id
