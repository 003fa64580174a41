import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { textPerMember } from '../../../server/entities/memberQuota.ts'
import { describeFields, type FieldDescription } from '../../../src/schemas/define/describe.ts'
import { type EntityName, entities } from '../../../src/schemas/index.ts'
import type { Browser } from '../../support/console/browser.ts'
import { addMachine, creatable, createRecord, validForm } from '../../support/server/routes/validForm.ts'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

const groups = entities['server-group']
const stamps = { created_at: '2026-11-21T00:00:00Z', updated_at: '2026-11-21T00:00:00Z' }

let server: TestServer
let admin: Browser
let member: Browser
async function start(): Promise<void> {
  server = await testServer()
  ;[admin, member] = [await signedIn(server), await signedIn(server, 'member')]
}

interface Group {
  group: { id: number; name: string }
  servers: number[] | null
}

const groupsOf = async (browser: Browser, query = '') =>
  ((await browser.get(`server-group${query}`)).body as { data?: Group[] }).data ?? []

const group = (name: string) => ({ body: { name, servers: [] } })

const create = async (browser: Browser, name: string) =>
  (await browser.call('POST', 'server-group', group(name))).body as { data?: number; error?: string }

/** What members save. Names and passwords of users have rules of their own. */
const saved = creatable.filter((name) => name !== 'user')

/** Every text and list in it, with its limit. */
const limited = saved.flatMap((name) =>
  describeFields(entities[name])
    .filter(({ editable, maxLength, maxEntries }) => editable && (maxLength ?? maxEntries) !== undefined)
    .map((field) => [name, field.name, field] as const),
)

function tooBig({ kind, maxLength = 0, maxEntries = 0 }: FieldDescription): unknown {
  const ids = () => Array.from({ length: maxEntries + 1 }, (_, index) => index + 1)
  if (kind === 'refs') return ids()
  if (kind === 'idSet') return Object.fromEntries(ids().map((id) => [id, true]))
  if (kind === 'list') return ids().map((id) => `host-${id}.example`)
  if (kind === 'json' && maxLength === 0) return Array(maxEntries + 1).fill(1)
  if (kind === 'json') return [{ type: 'offline', duration: 10, cover: 0, comment: 'x'.repeat(maxLength) }]
  return 'x'.repeat(maxLength + 1)
}

describe('a field', () => {
  let description: string
  beforeAll(async () => {
    await start()
    addMachine(server, 1)
    description = (await admin.get('openapi.json')).text
  })

  it('has a limit wherever people can type or list as much as they like', () => {
    const free = [...saved, 'server' as const].flatMap((name) =>
      describeFields(entities[name])
        .filter(({ editable, kind }) => editable && !['flag', 'number', 'choice', 'ref', 'moment'].includes(kind))
        .filter(({ maxLength, maxEntries }) => (maxLength ?? maxEntries) === undefined)
        .map((field) => `${name}.${field.name}`),
    )
    // Its text is at most five digits and a percent sign.
    expect(free).toEqual(['service.quorum'])
  })

  it.each(limited)(
    '%s.%s is refused beyond its limit, which the error and openapi.json say',
    async (entity, name, field) => {
      const form = { ...validForm(entity), [name]: tooBig(field) }
      const { status, text } = await admin.call('POST', entities[entity].api.path, { body: form })
      const limit = field.maxLength ?? field.maxEntries
      expect([status, text]).toEqual([200, expect.stringMatching(new RegExp(`${name} .*at most ${limit}\\b`))])
      expect(description).toContain(`${limit}`)
    },
  )

  it('beyond its limit in an older database stays as it is when it comes back unchanged, and can be shortened', async () => {
    const table = entityTable(server.store, groups)
    const id = table.insert({ ...stamps, user_id: 2, name: 'x'.repeat(200), servers: [] })
    const [shown] = await groupsOf(member, `?id=${id}`)
    expect(shown?.group.name).toBe('x'.repeat(200))
    for (const name of [shown?.group.name ?? '', 'short']) {
      const { body } = await member.call('PATCH', `server-group/${id}`, group(name))
      expect(body).toMatchObject({ success: true })
      expect(table.get(id)?.name).toBe(name)
    }
    const { body } = await member.call('PATCH', `server-group/${id}`, group('x'.repeat(200)))
    expect(body).toEqual({ error: 'name must have at most 128 characters' })
  })
})

describe('a list', () => {
  beforeEach(start)

  it('shows the beginning of a list of ids that no form could have sent', async () => {
    const table = entityTable(server.store, groups)
    const members = Array.from({ length: 60_000 }, (_, index) => index + 1)
    const id = table.insert({ ...stamps, user_id: 2, name: 'Rack', servers: members })
    await member.call('POST', 'server-group', group('Other'))
    const [shown] = await groupsOf(member)
    expect(shown?.servers).toHaveLength(10_000)
    await member.call('PATCH', `server-group/${id}`, { body: { name: 'Renamed', servers: shown?.servers } })
    expect(table.get(id)).toMatchObject({ name: 'Renamed', servers: members })
  })
})

describe('a member', () => {
  beforeEach(start)

  it('has as many records of an entity as the settings say, and room for another one after a deletion', async () => {
    const { body } = await admin.get('setting')
    const { config } = (body as { data: { config: Record<string, unknown> } }).data
    expect(config.records_per_member).toBe(1000)
    const change = (records_per_member: number) =>
      admin.call('PATCH', 'setting', { body: { ...config, site_name: 'Mine', records_per_member } })
    expect((await change(2)).body).toMatchObject({ success: true })
    const ids = [(await create(member, 'one')).data, (await create(member, 'two')).data]
    const refusal = { error: 'a member may have at most 2 records of the kind "server group": delete one first' }
    expect(await create(member, 'three')).toEqual(refusal)
    expect(await createRecord(member, 'notification-group', { name: 'another entity', notifications: [] })).toBe(1)
    for (const name of ['one', 'two', 'three']) expect((await create(admin, name)).data).toBeTypeOf('number')
    await member.call('POST', 'batch-delete/server-group', { body: [ids[0]] })
    expect((await create(member, 'three')).data).toBeTypeOf('number')
    for (const wrong of [0, 100_001, 2.5]) expect((await change(wrong)).body).toHaveProperty('error')
  })

  it('keeps what there was before a limit was lowered, and may change it', async () => {
    const table = entityTable(server.store, groups)
    for (let count = 0; count < 1001; count++) table.insert({ ...stamps, user_id: 2, name: 'old', servers: [] })
    expect(await groupsOf(member)).toHaveLength(1001)
    expect((await member.call('PATCH', 'server-group/1', group('renamed'))).body).toMatchObject({ success: true })
    expect(await create(member, 'new')).toHaveProperty('error')
  })

  it.each([['alert-rule', 100]] as const)('has fewer records where each costs work: %s', async (name, most) => {
    const table = entityTable(server.store, entities[name as EntityName])
    const disabled = { ...stamps, user_id: 2, ...validForm(name), enable: false }
    for (let count = 0; count < most; count++) table.insert(disabled)
    const { text } = await member.call('POST', name, { body: validForm(name) })
    expect(text).toContain(`at most ${most} records of the kind \\"alert rule\\"`)
  })

  it('cannot make a list of any length with long texts, and can shorten them', async () => {
    const table = entityTable(server.store, entities.cron)
    const command = 'x'.repeat(65_536)
    const task = { ...validForm('cron'), command }
    for (let length = 0; length < textPerMember; length += command.length)
      table.insert({ ...stamps, user_id: 2, ...task })
    const { body } = await member.call('POST', 'cron', { body: task })
    expect(body).toMatchObject({ error: expect.stringContaining('16777216 characters together') })
    for (const id of [1, 2]) {
      const shorter = { ...task, command: 'true' }
      expect((await member.call('PATCH', `cron/${id}`, { body: shorter })).body).toMatchObject({ success: true })
    }
    expect(await createRecord(member, 'cron', { ...task, command: 'uptime' })).toBeTypeOf('number')
  })
})
