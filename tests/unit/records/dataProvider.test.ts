// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDataProvider } from '../../../src/dataProvider.ts'
import { createQueryClient } from '../../../src/records/queryClient.ts'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import { flag, name, refs } from '../../../src/schemas/define/fields.ts'
import { calls, failure, fakeServer } from '../../support/fakes/fakeServer.ts'

const device = defineEntity({
  name: 'device',
  form: z.object({ name: name(), watts: z.int().default(40), powered: flag() }),
  api: { listPath: 'device/list' },
})
const rack = defineEntity({ name: 'rack', form: z.object({ name: name(), devices: refs('device').default([]) }) })
const visitor = defineEntity({
  name: 'visitor',
  form: z.object({}),
  computed: z.object({ ip: z.string(), since: z.int() }),
  id: ['ip', 'since'],
  api: { paging: 'window', verbs: ['delete'], batchKey: 'ip' },
})
const entities = { device, rack, visitor }

const provider = () =>
  createDataProvider(
    createQueryClient(),
    (entity) => entities[entity as keyof typeof entities],
    Object.values(entities),
  )

const page = (number: number, perPage = 1) => ({
  pagination: { page: number, perPage },
  sort: { field: 'id', order: 'ASC' as const },
  filter: {},
})
const devices = () => [
  { id: 1, name: 'desk', watts: 40, powered: true, made_in: 'Turin' },
  { id: 2, name: 'hall', watts: 60, powered: false },
]

describe('A whole list', () => {
  it('is fetched once for concurrent reads of all kinds, and again only after a write', async () => {
    const requests = fakeServer({ 'GET device/list': devices, 'POST device': () => 3 })
    const data = provider()
    const [first, second, one, many] = await Promise.all([
      data.getList('device', page(1)),
      data.getList('device', page(2)),
      data.getOne('device', { id: '2' }),
      data.getMany('device', { ids: [2, 9] }),
    ])
    expect([first.data, second.data, first.total].map((part) => JSON.stringify(part))).toEqual(
      [[devices()[0]], [devices()[1]], 2].map((part) => JSON.stringify(part)),
    )
    expect([one.data, many.data]).toEqual([devices()[1], [devices()[1]]])
    expect(calls(requests)).toEqual(['GET device/list'])
    await data.create('device', { data: { name: 'cellar' } })
    await data.getList('device', page(1))
    expect(calls(requests)).toEqual(['GET device/list', 'POST device', 'GET device/list'])
  })

  it('is also fetched again after a write to what it refers to', async () => {
    const requests = fakeServer({
      'GET device/list': devices,
      'GET rack': () => [],
      'POST batch-delete/device': () => null,
    })
    const data = provider()
    await data.getList('rack', page(1))
    await data.deleteMany('device', { ids: [1] })
    await data.getList('rack', page(1))
    expect(calls(requests)).toEqual(['GET rack', 'POST batch-delete/device', 'GET rack'])
  })

  it('has no rows that are no records, and shows the others', async () => {
    const odd = [null, 7, 'text', [], {}, { id: null, name: 'nobody' }]
    fakeServer({ 'GET device/list': () => [...odd, ...devices(), ...odd] })
    expect((await provider().getList('device', page(1, 10))).data).toEqual(devices())
  })

  it('is empty without data, and is not taken for empty when it is no list', async () => {
    fakeServer({ 'GET device/list': () => null })
    expect((await provider().getList('device', page(1))).data).toEqual([])
    fakeServer({ 'GET device/list': () => ({ a: 1 }) })
    await expect(provider().getList('device', page(1))).rejects.toThrow('app.error.unreadable')
  })

  it('that failed is requested again by the next read', async () => {
    let isBroken = true
    fakeServer({ 'GET device/list': () => (isBroken ? failure('the disk is full') : devices()) })
    const data = provider()
    await expect(data.getList('device', page(1))).rejects.toThrow('the disk is full')
    isBroken = false
    expect((await data.getList('device', page(1))).total).toBe(2)
  })

  it('that is empty on the wire is an empty list', async () => {
    fakeServer({ 'GET device/list': () => undefined })
    expect(await provider().getList('device', page(1))).toEqual({ data: [], total: 0 })
  })

  it('sorts references by the names that are shown', async () => {
    fakeServer({
      'GET device/list': devices,
      'GET rack': () => [
        { id: 1, name: 'a', devices: [2] },
        { id: 2, name: 'b', devices: [1] },
        { id: 3, name: 'c', devices: [77] },
      ],
    })
    const { data } = await provider().getList('rack', { ...page(1, 9), sort: { field: 'devices', order: 'ASC' } })
    expect(data.map(({ id }) => id)).toEqual([3, 2, 1])
  })

  it('is fetched again once for an id that it does not have, and then the record is missing', async () => {
    const requests = fakeServer({ 'GET device/list': devices })
    await expect(provider().getOne('device', { id: 9 })).rejects.toMatchObject({ status: 404 })
    expect(calls(requests)).toEqual(['GET device/list', 'GET device/list'])
  })
})

describe('A write', () => {
  it('creates with the defaults of the schema, and a bare number in the reply is the new id', async () => {
    const requests = fakeServer({ 'POST device': () => 7 })
    const { data } = await provider().create('device', { data: { name: ' desk ' } })
    expect(requests[0]?.body).toEqual({ name: 'desk', watts: 40, powered: false })
    expect(data).toEqual({ id: 7, name: 'desk', watts: 40, powered: false })
  })

  it('sends the record as the server has it now, with only the changed fields replaced', async () => {
    const requests = fakeServer({ 'GET device/list': devices, 'PATCH device/1': () => null })
    const opened = { id: 1, name: 'desk', watts: 25, powered: true }
    await provider().update('device', { id: 1, data: { name: 'table' }, previousData: opened })
    expect(calls(requests).slice(0, 2)).toEqual(['GET device/list', 'PATCH device/1'])
    expect(requests[1]?.body).toEqual({ name: 'table', watts: 40, powered: true, made_in: 'Turin' })
  })

  it('that fails because the server cannot be reached leaves the lists as they are', async () => {
    let isAway = false
    const requests = fakeServer({
      'GET device/list': () => {
        if (isAway) throw new TypeError('fetch failed')
        return devices()
      },
    })
    const data = provider()
    await data.getList('device', page(1))
    isAway = true
    const save = data.update('device', { id: 1, data: { watts: 60 }, previousData: devices()[0] })
    await expect(save).rejects.toThrow('app.error.unreachable')
    isAway = false
    expect((await data.getList('device', page(2))).data).toEqual([devices()[1]])
    expect(calls(requests)).toEqual(['GET device/list', 'GET device/list'])
  })

  it('is refused before it is sent when a changed value does not fit the schema', async () => {
    const requests = fakeServer({ 'GET device/list': devices })
    await expect(
      provider().update('device', { id: 1, data: { watts: 1.5 }, previousData: { id: 1, watts: 40 } }),
    ).rejects.toThrow(z.ZodError)
    expect(calls(requests)).toEqual(['GET device/list'])
  })

  it('to a record that was deleted says so and sends nothing', async () => {
    const requests = fakeServer({ 'GET device/list': devices })
    const gone = provider().update('device', { id: 9, data: { name: 'x' }, previousData: { id: 9, name: 'y' } })
    await expect(gone).rejects.toMatchObject({ status: 404, message: 'ra.notification.item_doesnt_exist' })
    expect(calls(requests)).toEqual(['GET device/list'])
  })

  it('that is one of many shares a read with the others, and reads again for a record that it has written', async () => {
    const patched = { 'PATCH device/1': () => null, 'PATCH device/2': () => null }
    const requests = fakeServer({ 'GET device/list': devices, 'GET rack': () => [], ...patched })
    const data = provider()
    await data.getList('rack', page(1))
    const write = (id: number, name: string) =>
      data.update('device', {
        id,
        data: { name },
        previousData: devices().find((device) => device.id === id) as never,
        meta: { changeGroup: 'a', isOneOfMany: true },
      })
    await Promise.all([write(1, 'table'), write(2, 'cellar')])
    expect(calls(requests)).toEqual(['GET rack', 'GET device/list', 'PATCH device/1', 'PATCH device/2'])
    await write(1, 'chair')
    expect(calls(requests).slice(4)).toEqual(['GET device/list', 'PATCH device/1'])
    // The lists are as they were, until all is done.
    await data.getList('rack', page(1))
    expect(requests).toHaveLength(6)
    await data.clearLists('device')
    await data.getList('rack', page(1))
    await data.getList('device', page(1))
    expect(calls(requests).slice(6)).toEqual(['GET rack', 'GET device/list'])
  })

  it('deletes many with one call, as numbers', async () => {
    const requests = fakeServer({ 'POST batch-delete/device': () => null })
    await provider().deleteMany('device', { ids: ['1', 2] })
    expect(requests[0]?.body).toEqual([1, 2])
  })
})

describe('A list that the server pages', () => {
  it('asks by offset and limit and takes the total from the frame; rows get an id joined from their key', async () => {
    const requests = fakeServer({
      'GET visitor?offset=20&limit=10': () => ({
        value: [{ ip: '::1', since: 5 }],
        pagination: { offset: 20, limit: 10, total: 21 },
      }),
    })
    const { data, total } = await provider().getList('visitor', page(3, 10))
    expect(calls(requests)).toEqual(['GET visitor?offset=20&limit=10'])
    expect([data, total]).toEqual([[{ id: '::1|5', ip: '::1', since: 5 }], 21])
  })

  it('may be empty in every form that servers send', async () => {
    fakeServer({
      'GET visitor?offset=0&limit=10': () => ({ value: null, pagination: { limit: 10 } }),
      'GET visitor?offset=10&limit=10': () => undefined,
    })
    const data = provider()
    expect(await data.getList('visitor', page(1, 10))).toEqual({ data: [], total: 0 })
    expect(await data.getList('visitor', page(2, 10))).toEqual({ data: [], total: 0 })
  })

  it('deletes by its batch key, and sends each value once', async () => {
    const requests = fakeServer({ 'POST batch-delete/visitor': () => null })
    await provider().deleteMany('visitor', { ids: ['::1|5', '10.0.0.1|6', '::1|7'] })
    expect(requests[0]?.body).toEqual(['::1', '10.0.0.1'])
  })
})

it('An undeclared entity is named in the error', async () => {
  await expect(provider().getList('lampe', page(1))).rejects.toThrow('There is no entity "lampe"')
})
