import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configuredEntities } from '../../../src/domain/configuration/configuredEntities.ts'
import { configuredFields, isSecret } from '../../../src/domain/configuration/fileValues.ts'
import type { FieldDescription } from '../../../src/schemas/define/describe.ts'
import type { EntityName } from '../../../src/schemas/index.ts'
import type { Browser } from '../../support/console/browser.ts'
import { secret } from '../../support/fakes/verifiedEvent.ts'
import { apply, exported, idsOf, key, variable } from '../../support/server/configurationFile.ts'
import { addMachine, createRecord, validForm } from '../../support/server/routes/validForm.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

describe('A configuration', () => {
  it('is the same after export, wipe and apply, whatever it is', async () => {
    const server = await testServer()
    for (const name of machines) addMachine(server, 1, { name, uuid: name })
    const admin = await signedIn(server)
    await fc.assert(
      fc.asyncProperty(configurations, async (records) => {
        await wipe(admin)
        for (const { entity, picks } of records) await create(admin, entity, picks)
        // Secrets come from outside, as they do for a person.
        const whole = await exported(admin)
        expect(await exported(admin, whole)).toBe(whole)
        expect(await apply(admin, whole, { prune: true })).toEqual([])
        const first = whole
          .replaceAll(/\burl: kept/g, `url: ${variable}`)
          .replaceAll('signing_secret: kept', `signing_secret: ${key}`)
          .replaceAll(new RegExp(`^ +(${optionalSecrets.join('|')}): kept\\n`, 'gm'), '')
        await wipe(admin)
        expect(await apply(admin, first)).toHaveLength(records.length)
        expect(await exported(admin, first)).toBe(first)
        expect(await apply(admin, first, { prune: true })).toEqual([])
      }),
      // The same ones every time: a failure can be looked at again.
      { numRuns: 12, seed: 20 },
    )
  })
})

/** The names of secrets that a record may be without. */
const optionalSecrets = configuredEntities().flatMap((entity) =>
  configuredFields(entity).flatMap((field) => (isSecret(field) && !field.required ? [field.name] : [])),
)

const machines = ['db-fra-1', 'web 2', 'yes', '007']

/** Names that a careless writer of YAML would turn into something else. */
const awkward = [
  'no',
  '1e3',
  '- a',
  '# b',
  'a: b',
  '"q"',
  "it's",
  '~',
  '{x}',
  '*y',
  '&z',
  '数据库',
  'ü😀',
  '<<',
  'kept',
]
const nameText = fc
  .oneof(fc.constantFrom(...awkward), fc.string({ minLength: 1, maxLength: 20 }))
  .filter((text) => text.trim() === text)
const noteText = fc.oneof(fc.constantFrom('', 'a\nb\n', ' a', 'a\r\nb', '\ta\n\n', '# x', '---', '%'), fc.string())

interface Picks {
  name: string
  note: string
  numbers: readonly number[]
}

const creatable = configuredEntities().filter(({ api }) => api.verbs.includes('create'))

/** Records in an order in which they can be made; no two of an entity have one name. */
const configurations = fc
  .tuple(
    ...creatable.map((entity) =>
      fc
        .uniqueArray(
          fc.record({ name: nameText, note: noteText, numbers: fc.array(fc.nat(99), { minLength: 5, maxLength: 5 }) }),
          {
            selector: ({ name }) => name,
            maxLength: 3,
          },
        )
        .map((list) => list.map((picks) => ({ entity, picks }))),
    ),
  )
  .map((lists) => lists.flat())

async function wipe(admin: Browser): Promise<void> {
  for (const { api } of [...creatable].reverse()) {
    const ids = await idsOf(admin, api.listPath)
    if (ids.length > 0) await admin.call('POST', `batch-delete/${api.path}`, { body: ids })
  }
}

type Entity = (typeof creatable)[number]

/** Creates a record whose references and texts are as picked. */
async function create(admin: Browser, entity: Entity, { name, note, numbers }: Picks): Promise<void> {
  const form: Record<string, unknown> = { ...validForm(entity.name as EntityName), name }
  const pick = (at: number) => numbers[at % numbers.length] ?? 0
  for (const [at, field] of configuredFields(entity).entries()) {
    const value = await pickedValue(field, pick(at), note, admin)
    if (value !== undefined && !isSecret(field)) form[field.name] = value
  }
  if (entity.name === 'nat') form.domain = `nat-${pick(0)}-${(await idsOf(admin, 'nat')).length}.example.org`
  if (entity.name === 'notification') form.signing_secret = secret
  await createRecord(admin, entity.name as EntityName, form)
}

async function pickedValue(field: FieldDescription, pick: number, note: string, admin: Browser): Promise<unknown> {
  const { kind, to = '' } = field
  if (kind === 'multiline') return note
  if (kind === 'flag') return pick % 2 === 0
  if (!['ref', 'refs', 'idSet'].includes(kind)) return undefined
  const target = configuredEntities().find(({ name }) => name === to)
  const ids = target ? await idsOf(admin, target.api.listPath) : []
  const chosen = ids.filter((id) => (pick + id) % 3 === 0)
  if (kind === 'ref') return chosen[0] ?? (field.required ? ids[0] : 0)
  return kind === 'refs' ? chosen : Object.fromEntries(chosen.map((id) => [id, true]))
}
