import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileEntity } from '../../../server/entities/compileEntity.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { cron } from '../../../src/schemas/cron.ts'
import { describeField } from '../../../src/schemas/define/describe.ts'
import { defineEntity, type Entity } from '../../../src/schemas/define/entity.ts'
import { idSet, jsonText, name, ref, refOrNone, refs } from '../../../src/schemas/define/fields.ts'
import { type EntityName, entities } from '../../../src/schemas/index.ts'
import { server } from '../../../src/schemas/server.ts'
import { admin, type DataApp, dataApp, member } from '../../support/console/dataApp.ts'
import { validForm } from '../../support/server/routes/validForm.ts'

const plan = z.array(z.looseObject({}))

/** Refers to other records in every way there is, and has no hooks. */
const ticket = defineEntity({
  name: 'ticket',
  form: z.object({
    name: name(),
    server_id: ref('server').optional(),
    notification_group_id: refOrNone('notification-group').default(0),
    watched: refs('server').default([]),
    skipped: idSet('server').nullable().default(null),
    plan: jsonText(plan.optional(), { mentions: [{ to: 'server', path: ['*', 'servers'] }] }).optional(),
    maker: ref('user').optional(),
    tasks: refs('cron', { unknown: 'accepted' }).default([]),
  }),
})

interface Ids {
  own: number
  admins: number
}

/** A server and a task of the member, and of the administrator. */
async function ticketApp(): Promise<DataApp & { servers: Ids; tasks: Ids }> {
  const data = await dataApp({ entities: [ticket] })
  const idsIn = (entity: Entity): Ids => {
    const table = entityTable(data.store, entity)
    return { own: table.insert({ user_id: member.id }), admins: table.insert({ user_id: admin.id }) }
  }
  return { ...data, servers: idsIn(server), tasks: idsIn(cron) } as DataApp & { servers: Ids; tasks: Ids }
}

const unknownId = 99

const waysToNameServers: [field: string, value: (id: number) => unknown][] = [
  ['server_id', (id) => id],
  ['watched', (id) => [id]],
  ['skipped', (id) => ({ [id]: true })],
  ['plan', (id) => [{ servers: [id] }]],
  ['plan', (id) => JSON.stringify([{}, { servers: { [id]: true } }])],
]

describe('an entity without hooks', () => {
  it.each(waysToNameServers)(
    'refuses in %s an id that does not exist, with the name of the field',
    async (field, value) => {
      const { call } = await ticketApp()
      const { body } = await call('POST', 'ticket', { name: 't', [field]: value(unknownId) })
      expect(body).toEqual({ error: `${field}: server id 99 does not exist` })
      expect((await call('GET', 'ticket')).body).toEqual({ success: true })
    },
  )

  it.each(waysToNameServers)('refuses in %s a server of an administrator that a member names', async (field, value) => {
    const { call, servers } = await ticketApp()
    const form = { name: 't', [field]: value(servers.admins) }
    const error = `${field}: server id ${servers.admins} does not exist`
    expect((await call('POST', 'ticket', form, member)).body).toEqual({ error })
    expect((await call('POST', 'ticket', form, admin)).body).toEqual({ success: true, data: 1 })
  })

  it.each(waysToNameServers)('accepts in %s a server of the member', async (field, value) => {
    const { call, servers } = await ticketApp()
    const form = { name: 't', [field]: value(servers.own) }
    expect((await call('POST', 'ticket', form, member)).body).toEqual({ success: true, data: 1 })
  })

  it('refuses a notifier group of an administrator, and accepts 0 for none', async () => {
    const { call, store } = await ticketApp()
    const group = entityTable(store, entities['notification-group']).insert({ user_id: admin.id })
    const form = { name: 't', notification_group_id: group }
    expect((await call('POST', 'ticket', form, member)).body).toEqual({
      error: `notification_group_id: notification group id ${group} does not exist`,
    })
    expect((await call('POST', 'ticket', { ...form, notification_group_id: 0 }, member)).body).toMatchObject({
      success: true,
    })
  })

  it('checks references to entities that keep their records themselves', async () => {
    const { call } = await ticketApp()
    const { body } = await call('POST', 'ticket', { name: 't', maker: unknownId })
    expect(body).toEqual({ error: 'maker: user id 99 does not exist' })
  })

  it('does not count the entries of a set that are false', async () => {
    const { call } = await ticketApp()
    const { body } = await call('POST', 'ticket', { name: 't', skipped: { [unknownId]: false } })
    expect(body).toMatchObject({ success: true })
  })
})

describe('a field that accepts unknown ids', () => {
  it('saves them, but refuses those of somebody else', async () => {
    const { call, tasks } = await ticketApp()
    expect((await call('POST', 'ticket', { name: 't', tasks: [unknownId] }, member)).body).toMatchObject({
      success: true,
    })
    expect((await call('POST', 'ticket', { name: 't', tasks: [tasks.admins] }, member)).body).toEqual({
      error: `tasks: cron id ${tasks.admins} does not exist`,
    })
    expect((await call('POST', 'ticket', { name: 't', tasks: [tasks.own] }, member)).body).toMatchObject({
      success: true,
    })
  })
})

describe('an update', () => {
  it('keeps ids of records that were deleted since, and refuses to add one', async () => {
    const { call, store, servers } = await ticketApp()
    const form = { name: 't', server_id: servers.own, watched: [servers.own], plan: [{ servers: [servers.own] }] }
    await call('POST', 'ticket', form, member)
    entityTable(store, server).remove([servers.own])
    expect((await call('PATCH', 'ticket/1', { ...form, name: 'renamed' }, member)).body).toEqual({ success: true })
    expect((await call('GET', 'ticket', undefined, member)).body).toMatchObject({
      data: [{ ...form, name: 'renamed' }],
    })
    const added = { ...form, watched: [servers.own, unknownId] }
    expect((await call('PATCH', 'ticket/1', added, member)).body).toEqual({
      error: 'watched: server id 99 does not exist',
    })
  })

  it('keeps what an administrator put into a member’s record', async () => {
    const { call, servers } = await ticketApp()
    const form = { name: 't', watched: [servers.admins] }
    await call('POST', 'ticket', { name: 't' }, member)
    await call('PATCH', 'ticket/1', form, admin)
    expect((await call('PATCH', 'ticket/1', { ...form, name: 'renamed' }, member)).body).toEqual({ success: true })
    expect((await call('PATCH', 'ticket/1', { ...form, server_id: servers.admins }, member)).body).toEqual({
      error: `server_id: server id ${servers.admins} does not exist`,
    })
  })
})

describe('a reference to an entity without records of its own', () => {
  it.each(['audit', 'nobody-knows'])('such as %s is refused at the start', async (to) => {
    const wrong = defineEntity({ name: 'wrong', form: z.object({ name: name(), other: ref(to) }) })
    await expect(dataApp({ entities: [wrong] })).rejects.toThrow(`There are no records of ${to} to refer to.`)
  })
})

/**
 * Where the contract has rules of its own, by `<entity>.<field>`: the form around the id, and the error for one that does
 * not exist; none when it is accepted. Somebody else's is refused with 'permission denied'.
 */
const references: Record<string, [value: (id: number) => Record<string, unknown>, unknownError?: string]> = {
  'server.ddns_profiles': [(id) => ({ ddns_profiles: [id] })],
  'server.override_ddns_domains': [(id) => ({ override_ddns_domains: { [id]: ['a.example.org'] } })],
  'server.depends_on': [(id) => ({ depends_on: [id] })],
  'service.depends_on': [(id) => ({ depends_on: [id] })],
  'server.depends_on_services': [(id) => ({ depends_on_services: [id] })],
  'service.depends_on_services': [(id) => ({ depends_on_services: [id] })],
  'service.notification_group_id': [(id) => ({ notification_group_id: id }), 'notification group id 99 does not exist'],
  'service.fail_trigger_tasks': [(id) => ({ fail_trigger_tasks: [id] })],
  'service.recover_trigger_tasks': [(id) => ({ recover_trigger_tasks: [id] })],
  'service.check': [
    (id) => ({ check: { kind: 'group', services: [id], needs: 'all' } }),
    'service id 99 does not exist',
  ],
  'service.skip_servers': [(id) => ({ cover: 1, skip_servers: { [id]: true } })],
  'cron.servers': [(id) => ({ cover: 0, servers: [id] })],
  'cron.notification_group_id': [(id) => ({ notification_group_id: id }), 'notification group id 99 does not exist'],
  'alert-rule.notification_group_id': [
    (id) => ({ notification_group_id: id }),
    'notification group id 99 does not exist',
  ],
  'alert-rule.rules': [(id) => ({ rules: [{ type: 'offline', duration: 10, cover: 0, ignore: { [id]: true } }] })],
  'alert-rule.fail_trigger_tasks': [(id) => ({ fail_trigger_tasks: [id] })],
  'alert-rule.recover_trigger_tasks': [(id) => ({ recover_trigger_tasks: [id] })],
  'service.escalation_id': [(id) => ({ escalation_id: id }), 'escalation id 99 does not exist'],
  'alert-rule.escalation_id': [(id) => ({ escalation_id: id }), 'escalation id 99 does not exist'],
  'nat.server_id': [(id) => ({ server_id: id }), 'have invalid server id'],
  'server-group.servers': [(id) => ({ servers: [id] }), 'have invalid server id'],
  'notification-group.notifications': [(id) => ({ notifications: [id] }), 'have invalid notification id'],
}

/** Of entities that members save; administrators may name any record. */
const ofMembers = Object.values(entities as Record<string, Entity>).filter(({ access }) => access.create !== 'admin')
const declared = ofMembers.flatMap((entity) =>
  compileEntity(entity)
    // Members may name themselves alone, and teams that they are in: `tests/server/escalations` and
    // `tests/server/auth/teamRecords.test.ts` have it.
    .references.filter(({ to }) => to !== 'user' && to !== 'team')
    .map(({ field, to }) => ({ entity, field, to })),
)

/** Steps of a plan with a receiver of each kind. */
const stepsWith: Readonly<Record<string, (id: number) => object>> = {
  'notification-group': (id) => ({ after_min: 0, notification_group_id: id }),
  rota: (id) => ({ after_min: 0, rota_id: id }),
}

/** Any other reference is refused by its field's name, whether the record does not exist or is somebody else's. */
function expectedOf(entity: Entity, field: string, to: string) {
  const exception = references[`${entity.name}.${field}`]
  if (exception) {
    const [value, unknownError] = exception
    return {
      value,
      unknown: unknownError === undefined ? undefined : { error: unknownError },
      foreign: { error: 'permission denied' },
    }
  }
  const kind = describeField(entity, field)?.kind
  const refused = {
    error: expect.stringMatching(new RegExp(`^${field}: ${to.replaceAll('-', ' ')} id \\d+ does not exist$`)),
  }
  const step = entity.name === 'escalation' ? stepsWith[to] : undefined
  const value = (id: number) => ({
    [field]: step ? [step(id)] : kind === 'refs' ? [id] : kind === 'idSet' ? { [id]: true } : id,
  })
  return { value, unknown: refused, foreign: refused }
}

describe('the references of our entities', () => {
  it('have no rule for a field that is no reference', () => {
    const keys = declared.map(({ entity, field }) => `${entity.name}.${field}`)
    expect(Object.keys(references).filter((key) => !keys.includes(key))).toEqual([])
  })

  it.each(declared.map((one) => [`${one.entity.name}.${one.field}`, one] as const))(
    '%s: unknown ids as the contract has it, nobody else’s, and one’s own',
    async (_, { entity, field, to }) => {
      const { value, unknown, foreign } = expectedOf(entity, field, to)
      const { call, store } = await dataApp()
      const own = entityTable(store, server).insert({ user_id: member.id })
      const record = entity === server ? own : undefined
      const targets = entityTable(store, entities[to as EntityName])
      const save = async (id: number) => {
        const form = { ...validForm(entity.name as EntityName, { server: own }), ...value(id) }
        if (record) return (await call('PATCH', `server/${record}`, form, member)).body
        return (await call('POST', entity.api.path, form, member)).body
      }
      expect(await save(targets.insert({ user_id: admin.id }))).toEqual(foreign)
      const saved = { success: true }
      expect(await save(unknownId)).toMatchObject(unknown ?? saved)
      expect(await save(targets.insert({ user_id: member.id }))).toMatchObject(saved)
    },
  )

  it('have to exist where they are exceptions from all servers', async () => {
    const { call } = await dataApp()
    const denied = { error: 'permission denied' }
    const task = { ...validForm('cron'), servers: [unknownId] }
    const check = { ...validForm('service'), skip_servers: { [unknownId]: true } }
    expect((await call('POST', 'cron', { ...task, cover: 1 })).body).toEqual(denied)
    expect((await call('POST', 'service', { ...check, cover: 0 })).body).toEqual(denied)
  })
})
