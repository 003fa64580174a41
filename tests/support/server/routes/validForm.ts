import type { z } from 'zod'
import { entityTable } from '../../../../server/entities/entityTable.ts'
import { describeFields, type FieldDescription } from '../../../../src/schemas/define/describe.ts'
import type { Entity } from '../../../../src/schemas/define/entity.ts'
import { type EntityName, entities } from '../../../../src/schemas/index.ts'
import type { Browser } from '../../console/browser.ts'
import type { TestServer } from '../testServer.ts'

/** The entities that people create; other rows appear by themselves. */
export const creatable = (Object.keys(entities) as EntityName[]).filter((name) =>
  entities[name].api.verbs.includes('create'),
)

interface Sample {
  /** Stands in every free text; inside a web address or JSON where the field wants that. */
  text: string
  /** A machine that the person may name. */
  server: number
}

/** Values that only fit together, or that the schema does not describe field by field. */
const special: Partial<Record<EntityName, (sample: Sample) => Record<string, unknown>>> = {
  // Not on itself.
  server: () => ({ depends_on: [] }),
  service: ({ text }) => ({ target: `https://example.org/${text}` }),
  cron: () => ({ scheduler: '0 0 3 * * *' }),
  notification: () => ({ skip_check: true }),
  'alert-rule': () => ({ rules: [{ type: 'offline', duration: 10, cover: 0 }] }),
  'maintenance-window': () => ({ starts_at: '2026-12-01T02:00', time_zone: 'UTC', services: [] }),
  // With an end: a mute until recovery is refused while nothing is wrong.
  mute: ({ server }) => ({ server_id: server, rule_id: 0, service_id: 0, ends_at: '2100-01-01T00:00:00Z' }),
  ddns: () => ({ provider: 'webhook' }),
  // No two profiles may have the same.
  nat: ({ server }) => ({ domain: `nat-${server}.example.org` }),
}

/**
 * A form that the server takes, for any entity that people save, with all of its texts: made from the entity's schema.
 * @throws Error when the entity's form refuses it: then it wants an entry in `special`.
 */
export function validForm(name: EntityName, { text = 'any', server = 1 }: Partial<Sample> = {}) {
  const sample = { text, server }
  const entity: Entity = entities[name]
  const fields = describeFields(entity).filter(({ editable }) => editable)
  if (fields.length === 0) throw new Error(`Nobody saves a ${name}.`)
  const values = fields.map((field) => [field.name, valueFor(field, entity.form.shape[field.name], sample)] as const)
  const form = {
    ...Object.fromEntries(values.filter(([, value]) => value !== undefined)),
    ...special[name]?.(sample),
  }
  const { error } = entity.form.safeParse(form)
  if (error) throw new Error(`No valid form of ${name} follows from its schema: ${error.message}`)
  return form as Record<string, unknown>
}

/** A value for one field; `undefined` leaves it out. */
function valueFor(field: FieldDescription, schema: z.ZodType, { text, server }: Sample): unknown {
  const { kind, initial, to, required, minimum = 1, choices = {} } = field
  switch (kind) {
    case 'ref':
      return required && to === 'server' ? server : (initial ?? (required ? 1 : undefined))
    case 'refs':
      return to === 'server' ? [server] : (initial ?? [])
    case 'idSet':
    case 'list':
      return initial
    case 'number':
      return initial ?? (required ? minimum : undefined)
    case 'choice':
      return initial ?? (required ? Number(Object.keys(choices)[0]) : undefined)
    case 'flag':
      return initial ?? (required ? true : undefined)
    default:
      return textsOfAnyShape(text).find((value) => schema.safeParse(value).success)
  }
}

/** What a text may have to look like: free, a web address, JSON, a host with its port, a time, a day, a point in time. */
const textsOfAnyShape = (text: string): readonly string[] => [
  text,
  `https://example.org/${text}`,
  JSON.stringify({ a: text }),
  '10.0.0.1:80',
  '04:00',
  '2026-11-21',
  '2026-11-21T00:00:00Z',
]

/** Adds a machine that nothing reports from. @returns its id */
export const addMachine = ({ store }: TestServer, owner: number, given: Record<string, unknown> = {}): number =>
  entityTable(store, entities.server).insert({
    created_at: '2026-11-21T00:00:00Z',
    updated_at: '2026-11-21T00:00:00Z',
    name: 'machine',
    display_index: 0,
    uuid: `uuid of ${owner}`,
    user_id: owner,
    ...given,
  })

/** Creates a record as somebody. @returns its id */
export async function createRecord(browser: Browser, name: EntityName, form: Record<string, unknown>): Promise<number> {
  const { text, body } = await browser.call('POST', entities[name].api.path, { body: form })
  const { data } = body as { data?: number }
  if (!data) throw new Error(`No ${name} was created: ${text}`)
  return data
}
