import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { TokenScope } from '../../src/schemas/define/access.ts'
import { describeFields, emptyValue, type JsonSchema } from '../../src/schemas/define/describe.ts'
import type { Consequence } from '../../src/schemas/define/effects.ts'
import { bodyLimits } from '../../src/schemas/define/endpoint.ts'
import type { Entity, Verb, WriteVerb } from '../../src/schemas/define/entity.ts'
import { listWindow } from '../../src/schemas/define/envelope.ts'
import { team } from '../../src/schemas/define/team.ts'
import { sameValue, type Values } from '../../src/schemas/define/values.ts'
import { entities } from '../../src/schemas/index.ts'
import { contractSettings } from '../../src/schemas/settings/contractSettings.ts'
import type { Store } from '../db/store.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import { entityTable, type Form, type Row } from '../entities/entityTable.ts'
import { idList, schemaFor } from '../http/routes/openapi.ts'
import { jsonType, listReply } from '../http/routes/replyInTurns.ts'
import { addAuditDetails, auditNames, auditTarget, type Guard } from '../http/routes/route.ts'
import { type Person, teamOfOwner } from '../person.ts'
import { pageIn, pageReply, readIdList, success } from '../wire/apiCall.ts'
import { readIds, readPathId, readQueryIds, readTexts } from '../wire/readFields.ts'
import type { EntityHooks, HooksByEntity, PagedRows, Records } from './entityHooks.ts'
import { readListFilter } from './listFilter.ts'
import { createRecordOwners, createRecords, createReferenceCheck, idsIn } from './records.ts'

export interface CrudOptions {
  store: Store
  guard: Guard
  /** Default: none; an entity without hooks is a plain record. */
  hooks?: HooksByEntity
  /** Default: all entities. */
  entities?: readonly Entity[]
  /** How many records of an entity a member may have. Default: no limit but that of the entity. */
  recordsPerMember?: () => number
}

/**
 * Registers the routes of every entity (docs/contract/CONTRACT.md#2-envelope-and-status-codes), as `entity.api` and
 * `entity.access` say. Request bodies must arrive as text: the contract's error messages quote what was written.
 * @returns a function that finds the records of an entity, for what changes several of them at once
 */
export function registerCrud(app: FastifyInstance, options: CrudOptions): RecordsOf {
  const { store, guard, hooks: hooksByEntity = {}, entities: registered = Object.values(entities) } = options
  const { recordsPerMember = () => Number.POSITIVE_INFINITY } = options
  const recordsOf = createRecordsByName(registered, hooksByEntity, { store, recordsPerMember })
  for (const entity of registered) {
    const hooks = hooksByEntity[entity.name] ?? {}
    // A reference to an entity without records is a mistake in the schema: found now, not at the first save.
    for (const { to } of compileEntity(entity).references) recordsOf(to)
    if (hooks.pagedRows) registerPagedList(app, entity, hooks.pagedRows, { store, guard })
    else registerEntity(app, entity, recordsOf(entity.name), { guard, hooks, store })
  }
  return recordsOf
}

/** The records of an entity by its name. @throws Error when it has none */
export type RecordsOf = (name: string) => Records

/** @returns a function that finds the records of an entity; also of entities without routes here, which others refer to */
function createRecordsByName(
  registered: readonly Entity[],
  hooksByEntity: HooksByEntity,
  services: { store: Store; recordsPerMember: () => number },
) {
  const owners = createRecordOwners(services.store)
  const all = [...Object.values(entities), team, contractSettings, ...registered]
  const entityByName = new Map(all.map((entity) => [entity.name, entity]))
  const recordsByName = new Map<string, Records>()

  function recordsOf(name: string): Records {
    const existing = recordsByName.get(name)
    if (existing) return existing
    const entity = entityByName.get(name)
    const hooks = hooksByEntity[name] ?? {}
    if (!entity || hooks.pagedRows) throw new Error(`There are no records of ${name} to refer to.`)
    const checkReferences = createReferenceCheck(entity, hooks, recordsOf)
    const records = hooks.records ?? createRecords(entity, { ...services, owners, hooks, checkReferences })
    recordsByName.set(name, records)
    return records
  }
  return recordsOf
}

interface EntityRoutes {
  guard: Guard
  hooks: EntityHooks
  store: Store
}

function registerEntity(
  app: FastifyInstance,
  entity: Entity,
  records: Records,
  { guard, hooks, store }: EntityRoutes,
): void {
  const { api, access, scopes } = entity
  const compiled = compileEntity(entity)
  const judgeForm = formJudge(entity, hooks, store)
  const readForm = formReaderOf(entity, hooks)
  const readBatch = hooks.validation === 'contract' ? readIds : readIdList
  const options = (verb: Verb, schemas: () => { body?: Values; data?: Values }) => ({
    onRequest: guard(access[verb], {
      leadsTo: verb === 'list' ? undefined : api.leadsTo?.[verb],
      ...tokenRules(scopes[verb], hooks),
    }),
    config: {
      ...(verb === 'list' ? { listedEntity: entity } : { auditAction: `${entity.name}.${verb}` }),
      describe: () => ({
        summary: `${verb} ${entity.name}`,
        tag: entity.name,
        access: access[verb],
        leadsTo: verb === 'list' ? undefined : api.leadsTo?.[verb],
        tokens: tokenRules(scopes[verb], hooks),
        ...schemas(),
      }),
    },
    bodyLimit: verb === 'delete' ? bodyLimits.form : api.bodyLimit,
  })
  const can = (verb: WriteVerb) => api.verbs.includes(verb)

  app.get(
    `/api/v1/${api.listPath}`,
    options('list', () => ({ data: compiled.listSchema() })),
    async ({ person, query }, reply) => {
      const text = await listReply(records.list(person, readQueryIds(query)))
      return reply.type(jsonType).send(text)
    },
  )
  if (can('create')) {
    app.post(
      `/api/v1/${api.path}`,
      options('create', () => ({ body: formSchema(entity, hooks), data: { type: 'integer' } })),
      async (request) => {
        const given = readForm(request.body)
        judgeForm(request, given)
        const id = await records.create(request.person, given, () => personNow(request))
        addAuditDetails(request, { target: `${entity.name} ${id}`, detail: auditNames(namesOf(given)) })
        return success(id)
      },
    )
  }
  if (can('update')) {
    app.patch<{ Params: { id: string } }>(
      `/api/v1/${api.path}/:id`,
      options('update', () => ({ body: formSchema(entity, hooks) })),
      async (request) => {
        const id = readPathId(request.params.id)
        const given = readForm(request.body)
        judgeForm(request, given, id)
        addAuditDetails(request, { target: `${entity.name} ${id}`, detail: auditNames(namesOf(given)) })
        return success(await records.update?.(request.person, id, given, () => personNow(request)))
      },
    )
  }
  if (can('delete')) {
    app.post(
      `/api/v1/batch-delete/${api.path}`,
      options('delete', () => ({ body: schemaFor(idList) })),
      (request) => {
        const ids = readBatch(request.body)
        const names = namesIn([...records.list(request.person, new Set(ids))], ids)
        addAuditDetails(request, { target: auditTarget(entity.name, ids), detail: auditNames(names) })
        records.remove(request.person, ids)
        return success()
      },
    )
  }
}

/** Who makes a request, judged again. @throws ApiError */
function personNow(request: FastifyRequest): Person | undefined {
  request.judgeAgain?.()
  return request.person
}

/**
 * Judges a request by what its form can lead to: by the records that it names, and by what the hooks of the entity say.
 * @param id of the record that is changed
 */
function formJudge(entity: Entity, { leadsTo }: EntityHooks, store: Store) {
  const byName = new Map<string, Entity>(Object.values(entities).map((entity) => [entity.name, entity]))
  const acting = compileEntity(entity).references.flatMap((reference) => {
    const { whenNamed } = byName.get(reference.to) ?? {}
    return whenNamed ? [{ ...reference, whenNamed }] : []
  })
  return (request: FastifyRequest, form: Form, id?: number): void => {
    for (const { field, path, whenNamed } of acting) {
      if (idsIn(form[field], path).length > 0) request.judgeAgain?.(whenNamed)
    }
    const more = leadsTo?.(form, { store, person: request.person }, id)
    if (more) request.judgeAgain?.(more)
    if (id !== undefined && givesAway(form, entityTable(store, entity).get(id))) request.judgeAgain?.(givingLeadsTo)
  }
}

/** Others act on a record that is given to their team, as much as by a role. */
const givingLeadsTo: Consequence = { leadsTo: 'access', scope: 'nezha:admin:*' }

const givesAway = ({ team }: Form, row: Row | undefined) =>
  team !== undefined && row !== undefined && Number(team) !== teamOfOwner(row.user_id)

/** Which API tokens may call a verb. */
const tokenRules = (scope: TokenScope | undefined, { serversOf }: EntityHooks) => ({
  scopes: scope && [scope],
  keepsToServers: serversOf !== undefined,
})

/** What reads the text of a form for an entity with these hooks. */
export function formReaderOf(entity: Entity, { validation }: EntityHooks = {}): (body: unknown) => Form {
  const { readForm, parseForm } = compileEntity(entity)
  return validation === 'contract' ? readForm : parseForm
}

/**
 * JSON Schema of a form, for openapi.json. Where the contract decides, an empty text passes whatever the schema says
 * (`checkTexts`): a client that goes by the description must be able to send back what it has read. What is left out is
 * empty then, and the defaults of the schema are those of the console's form.
 */
function formSchema(entity: Entity, { validation, records }: EntityHooks): Values {
  const schema = schemaFor(entity.form)
  if (validation !== 'contract' || records) return schema
  const fields = new Map(describeFields(entity).map((field) => [field.name, field]))
  const asStored = (name: string, { minLength: _, default: initial, ...property }: JsonSchema): JsonSchema => {
    const field = fields.get(name)
    const empty = field && (field.nullable ? null : emptyValue(field.kind))
    return { ...property, ...(initial !== undefined && sameValue(initial, empty) && { default: initial }) }
  }
  const properties = Object.entries(schema.properties ?? {})
  return { ...schema, properties: Object.fromEntries(properties.map(([name, one]) => [name, asStored(name, one)])) }
}

/** The names of the first of these records, as far as the list has them. */
function namesIn(rows: readonly unknown[], ids: readonly number[]): string[] {
  const firstIds = new Set(ids.slice(0, 20))
  return rows.flatMap((row) => {
    const { group, ...flat } = row as { group?: Form } & Form
    const { id, name, username } = group ?? flat
    return firstIds.has(Number(id)) ? [String(name ?? username ?? `#${id}`)] : []
  })
}

/** The name in a form. */
const namesOf = ({ name, username }: Form) => [name ?? username].filter((given) => typeof given === 'string')

/**
 * Registers a list that is paged by `offset` and `limit`, and its batch call by `api.batchKey`
 * (docs/contract/CONTRACT.md#512-waf-and-online-users).
 */
function registerPagedList(
  app: FastifyInstance,
  entity: Entity,
  { all, page, remove, filters }: PagedRows,
  { store, guard }: { store: Store; guard: Guard },
): void {
  const { name, api, access, scopes } = entity
  const queryOfPage = () => pageQuery.extend(api.filters?.partial().shape ?? {})
  const tokensOf = (verb: 'list' | 'delete') => ({ scopes: scopes[verb] && [scopes[verb]] })
  const about = (verb: 'list' | 'delete') => ({
    summary: `${verb} ${name}`,
    tag: name,
    access: access[verb],
    tokens: tokensOf(verb),
  })
  app.get(
    `/api/v1/${api.listPath}`,
    {
      onRequest: guard(access.list, tokensOf('list')),
      config: {
        listedEntity: entity,
        describe: () => ({ ...about('list'), query: schemaFor(queryOfPage()), data: schemaFor(listWindow) }),
      },
    },
    async ({ person, query }) => {
      const { offset, limit } = pageIn(query)
      const filter = readListFilter(entity, query, filters)
      if (page) return success(pageReply(await page(offset, limit, { store, person }, filter), offset, limit))
      const shown = all?.({ store, person }) ?? []
      const rows = filter ? shown.filter(filter.matches) : shown
      return success(pageReply({ rows: rows.slice(offset, offset + limit), total: rows.length }, offset, limit))
    },
  )
  if (!remove) return
  app.post(
    `/api/v1/batch-delete/${api.path}`,
    {
      onRequest: guard(access.delete, tokensOf('delete')),
      config: {
        auditAction: `${name}.delete`,
        describe: () => ({ ...about('delete'), body: schemaFor(z.array(z.string())) }),
      },
      bodyLimit: bodyLimits.form,
    },
    (request) => {
      const keys = readTexts(request.body)
      addAuditDetails(request, { target: auditTarget(api.batchKey ?? name, keys) })
      remove(keys, { store, person: request.person })
      return success()
    },
  )
}

const pageQuery = z.object({ offset: z.int().optional(), limit: z.int().optional() })
