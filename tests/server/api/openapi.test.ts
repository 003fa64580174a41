import { beforeAll, describe, expect, it } from 'vitest'
import { choicesText, describeFields } from '../../../src/schemas/define/describe.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import { entities } from '../../../src/schemas/index.ts'
import type { Browser } from '../../support/console/browser.ts'
import { type ApiDescription, type DescribedRoute, routesIn } from '../../support/server/routes/describedRoutes.ts'
import { addMachine, creatable, validForm } from '../../support/server/routes/validForm.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

type Json = Record<string, unknown>

/** The words of JSON Schema that may stand in a description. */
const standardWords = new Set(
  (
    'type properties required additionalProperties propertyNames items anyOf oneOf enum const default description format ' +
    'pattern multipleOf minimum maximum exclusiveMinimum minLength maxLength minItems maxItems maxProperties'
  ).split(' '),
)

/** A schema and all schemas in it. */
function schemasIn(schema: Json): Json[] {
  const {
    properties = {},
    items,
    additionalProperties,
    propertyNames,
    anyOf = [],
    oneOf = [],
  } = schema as Record<string, Json>
  const inner = [
    ...Object.values(properties),
    items,
    additionalProperties,
    propertyNames,
    ...Object.values(anyOf),
    ...Object.values(oneOf),
  ]
  const schemas = inner.filter((value): value is Json => typeof value === 'object' && value !== null)
  return [schema, ...schemas.flatMap(schemasIn)]
}

let admin: Browser
let description: ApiDescription
let routes: DescribedRoute[]
let schemas: Json[]
beforeAll(async () => {
  const server = await testServer()
  addMachine(server, 1)
  admin = await signedIn(server)
  description = (await admin.get('openapi.json')).body as unknown as ApiDescription
  routes = routesIn(description)
  schemas = routes.flatMap(({ body = {}, reply = {} }) => [body, reply].flatMap(schemasIn))
})

/** The properties of the body that creates a record of an entity. */
function formOf({ api }: Pick<Entity, 'api'>): Record<string, Json> {
  const route = routes.find(({ name }) => name === `POST ${api.path}`)
  return (route?.body?.properties ?? {}) as Record<string, Json>
}

describe('openapi.json', () => {
  it('has no words but those of JSON Schema', () => {
    const unknown = schemas.flatMap((schema) => Object.keys(schema)).filter((word) => !standardWords.has(word))
    expect([...new Set(unknown)]).toEqual([])
  })

  it('has no bounds that the server does not check', () => {
    const bounds = schemas.flatMap(({ minimum = 0, maximum = 0 }) => [minimum, maximum] as number[])
    expect(bounds.filter((bound) => Math.abs(bound) >= Number.MAX_SAFE_INTEGER)).toEqual([])
    expect(schemas.filter(({ type, maxLength }) => maxLength !== undefined && type !== 'string')).toEqual([])
  })

  it('names the fields of a rule, those of its recovery too', () => {
    const { items } = formOf(entities['alert-rule']).rules as { items: Json }
    expect(items.properties).toMatchObject({
      max: { type: 'number' },
      recovery_max: { type: 'number' },
      recovery_duration: { type: 'integer', minimum: 0, maximum: 86_400 },
    })
  })

  it('lists the codes of every choice, and what they mean', () => {
    const choices = creatable.flatMap((name) =>
      describeFields(entities[name])
        .filter(({ editable, kind }) => editable && kind === 'choice')
        .map((field) => ({ name, field, described: formOf(entities[name])[field.name] })),
    )
    expect(choices.length).toBeGreaterThan(5)
    for (const { name, field, described } of choices) {
      const { choices: codes = {} } = field
      expect(described, `${name}.${field.name}`).toMatchObject({
        enum: Object.keys(codes).map(Number),
        description: choicesText(codes),
      })
    }
  })

  it('says of a download what it sends, and that a failure is JSON', () => {
    const downloads = Object.entries(description.paths).filter(
      ([, { get }]) => get && Object.keys(get.responses['200']?.content ?? {}).length > 1,
    )
    expect(downloads.map(([path]) => path.replace('/api/v1/wheelhouse/', '')).sort()).toEqual([
      'file-transfers/{transfer}/archive',
      'recordings/{recording}/download',
      'recordings/{recording}/play',
      'servers/{id}/files/content',
    ])
    for (const [, { get }] of downloads)
      expect(get?.responses['200']?.content?.['application/json']?.schema).toMatchObject({ required: ['error'] })
  })

  it.each(creatable)('says of %s how short and how long a text may be, as the server has it', async (name) => {
    const accepted: string[] = []
    for (const [field, { minLength, maxLength }] of Object.entries(formOf(entities[name]))) {
      const lengths = [Number(minLength ?? 0) - 1, Number(maxLength ?? -2) + 1].filter((length) => length >= 0)
      for (const length of lengths) {
        const form = { ...validForm(name), [field]: 'x'.repeat(length) }
        const { body } = await admin.call('POST', entities[name].api.path, { body: form })
        if (!('error' in (body as Json))) accepted.push(`${field} with ${length} characters`)
      }
    }
    expect(accepted).toEqual([])
  })

  it.each([
    'service',
    'cron',
    'notification',
    'notification-group',
    'alert-rule',
    'server-group',
    'ddns',
    'nat',
  ] as const)('says of %s as default only what is stored where it is left out', async (name) => {
    // Empty they fit to other kinds of the record only.
    const needed = ['rules', 'scheduler']
    const { api } = entities[name]
    const defaults = Object.entries(formOf(entities[name])).flatMap(([field, { default: value }]) =>
      value === undefined || needed.includes(field) ? [] : [[field, value] as const],
    )
    const form = Object.fromEntries(
      Object.entries(validForm(name)).filter(([field]) => !defaults.some(([one]) => one === field)),
    )
    const created = await admin.call('POST', api.path, { body: { ...form, name: 'with defaults' } })
    expect(created.body).not.toHaveProperty('error')
    const { data } = (await admin.get(api.listPath)).body as { data: Json[] }
    const row = data
      .map((one): Json => ({ ...one, ...(one.group as Json) }))
      .find((one) => one.name === 'with defaults')
    const stored = defaults.map(([field, value]) => [field, row?.[field] ?? value])
    expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(defaults))
  })

  it.each(['user', 'server-share', 'mute'] as const)('asks for the name of a %s, which the server does', (name) => {
    const { minLength } = formOf(entities[name])[entities[name].nameField] ?? {}
    expect(minLength).toBeGreaterThan(0)
  })
})
