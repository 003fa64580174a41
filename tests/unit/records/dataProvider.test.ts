// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDataProvider } from '../../../src/dataProvider.ts'
import { createQueryClient } from '../../../src/records/queryClient.ts'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import { flag, name, refs } from '../../../src/schemas/define/fields.ts'
import { calls, failure, fakeServer } from '../../support/fakes/fakeServer.ts'

const lamp = defineEntity({
  name: 'lamp',
  form: z.object({ name: name(), watts: z.int().default(40), lit: flag() }),
  api: { listPath: 'lamp/list' },
})
const room = defineEntity({ name: 'room', form: z.object({ name: name(), lamps: refs('lamp').default([]) }) })
const guest = defineEntity({
  name: 'guest',
  form: z.object({}),
  computed: z.object({ ip: z.string(), since: z.int() }),
  id: ['ip', 'since'],
  api: { paging: 'window', verbs: ['delete'], batchKey: 'ip' },
})
const entities = { lamp, room, guest }

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
const lamps = () => [
  { id: 1, name: 'desk', watts: 40, lit: true, made_in: 'Turin' },
  { id: 2, name: 'hall', watts: 60, lit: false },
]

describe('A whole list', () => {
  it('is fetched once for concurrent reads of all kinds, and again only after a write', async () => {
    const heard = fakeServer({ 'GET lamp/list': lamps, 'POST lamp': () => 3 })
    const data = provider()
    const [first, second, one, many] = await Promise.all([
      data.getList('lamp', page(1)),
      data.getList('lamp', page(2)),
      data.getOne('lamp', { id: '2' }),
      data.getMany('lamp', { ids: [2, 9] }),
    ])
    expect([first.data, second.data, first.total].map((part) => JSON.stringify(part))).toEqual(
      [[lamps()[0]], [lamps()[1]], 2].map((part) => JSON.stringify(part)),
    )
    expect([one.data, many.data]).toEqual([lamps()[1], [lamps()[1]]])
    expect(calls(heard)).toEqual(['GET lamp/list'])
    await data.create('lamp', { data: { name: 'cellar' } })
    await data.getList('lamp', page(1))
    expect(calls(heard)).toEqual(['GET lamp/list', 'POST lamp', 'GET lamp/list'])
  })

  it('is also read anew after a write to what it refers to', async () => {
    const heard = fakeServer({ 'GET lamp/list': lamps, 'GET room': () => [], 'POST batch-delete/lamp': () => null })
    const data = provider()
    await data.getList('room', page(1))
    await data.deleteMany('lamp', { ids: [1] })
    await data.getList('room', page(1))
    expect(calls(heard)).toEqual(['GET room', 'POST batch-delete/lamp', 'GET room'])
  })

  it('that failed is asked for again by the next read', async () => {
    let isBroken = true
    fakeServer({ 'GET lamp/list': () => (isBroken ? failure('the disk is full') : lamps()) })
    const data = provider()
    await expect(data.getList('lamp', page(1))).rejects.toThrow('the disk is full')
    isBroken = false
    expect((await data.getList('lamp', page(1))).total).toBe(2)
  })

  it('that is empty on the wire is an empty list', async () => {
    fakeServer({ 'GET lamp/list': () => undefined })
    expect(await provider().getList('lamp', page(1))).toEqual({ data: [], total: 0 })
  })

  it('sorts references by the names that are shown', async () => {
    fakeServer({
      'GET lamp/list': lamps,
      'GET room': () => [
        { id: 1, name: 'a', lamps: [2] },
        { id: 2, name: 'b', lamps: [1] },
        { id: 3, name: 'c', lamps: [77] },
      ],
    })
    const { data } = await provider().getList('room', { ...page(1, 9), sort: { field: 'lamps', order: 'ASC' } })
    expect(data.map(({ id }) => id)).toEqual([3, 2, 1])
  })

  it('is read anew once for an id that it does not have, and then there is none', async () => {
    const heard = fakeServer({ 'GET lamp/list': lamps })
    await expect(provider().getOne('lamp', { id: 9 })).rejects.toMatchObject({ status: 404 })
    expect(calls(heard)).toEqual(['GET lamp/list', 'GET lamp/list'])
  })
})

describe('A write', () => {
  it('creates with the defaults of the schema, and a bare number in the reply is the new id', async () => {
    const heard = fakeServer({ 'POST lamp': () => 7 })
    const { data } = await provider().create('lamp', { data: { name: ' desk ' } })
    expect(heard[0]?.body).toEqual({ name: 'desk', watts: 40, lit: false })
    expect(data).toEqual({ id: 7, name: 'desk', watts: 40, lit: false })
  })

  it('replaces the record as the server has it now with only the changed fields laid over', async () => {
    const heard = fakeServer({ 'GET lamp/list': lamps, 'PATCH lamp/1': () => null })
    const opened = { id: 1, name: 'desk', watts: 25, lit: true }
    await provider().update('lamp', { id: 1, data: { name: 'table' }, previousData: opened })
    expect(calls(heard).slice(0, 2)).toEqual(['GET lamp/list', 'PATCH lamp/1'])
    expect(heard[1]?.body).toEqual({ name: 'table', watts: 40, lit: true, made_in: 'Turin' })
  })

  it('that fails because the server is away takes nothing from the lists', async () => {
    let isAway = false
    const heard = fakeServer({
      'GET lamp/list': () => {
        if (isAway) throw new TypeError('fetch failed')
        return lamps()
      },
    })
    const data = provider()
    await data.getList('lamp', page(1))
    isAway = true
    const save = data.update('lamp', { id: 1, data: { watts: 60 }, previousData: lamps()[0] })
    await expect(save).rejects.toThrow('app.error.unreachable')
    isAway = false
    expect((await data.getList('lamp', page(2))).data).toEqual([lamps()[1]])
    expect(calls(heard)).toEqual(['GET lamp/list', 'GET lamp/list'])
  })

  it('is refused before it is sent when a changed value does not fit the schema', async () => {
    const heard = fakeServer({ 'GET lamp/list': lamps })
    await expect(
      provider().update('lamp', { id: 1, data: { watts: 1.5 }, previousData: { id: 1, watts: 40 } }),
    ).rejects.toThrow(z.ZodError)
    expect(calls(heard)).toEqual(['GET lamp/list'])
  })

  it('to a record that is gone says so and sends nothing', async () => {
    const heard = fakeServer({ 'GET lamp/list': lamps })
    const gone = provider().update('lamp', { id: 9, data: { name: 'x' }, previousData: { id: 9, name: 'y' } })
    await expect(gone).rejects.toMatchObject({ status: 404, message: 'ra.notification.item_doesnt_exist' })
    expect(calls(heard)).toEqual(['GET lamp/list'])
  })

  it('deletes many with one call, as numbers', async () => {
    const heard = fakeServer({ 'POST batch-delete/lamp': () => null })
    await provider().deleteMany('lamp', { ids: ['1', 2] })
    expect(heard[0]?.body).toEqual([1, 2])
  })
})

describe('A list that the server pages', () => {
  it('asks by offset and limit and takes the total from the frame; rows get an id joined from their key', async () => {
    const heard = fakeServer({
      'GET guest?offset=20&limit=10': () => ({
        value: [{ ip: '::1', since: 5 }],
        pagination: { offset: 20, limit: 10, total: 21 },
      }),
    })
    const { data, total } = await provider().getList('guest', page(3, 10))
    expect(calls(heard)).toEqual(['GET guest?offset=20&limit=10'])
    expect([data, total]).toEqual([[{ id: '::1|5', ip: '::1', since: 5 }], 21])
  })

  it('may be empty in every way that servers write it', async () => {
    fakeServer({
      'GET guest?offset=0&limit=10': () => ({ value: null, pagination: { limit: 10 } }),
      'GET guest?offset=10&limit=10': () => undefined,
    })
    const data = provider()
    expect(await data.getList('guest', page(1, 10))).toEqual({ data: [], total: 0 })
    expect(await data.getList('guest', page(2, 10))).toEqual({ data: [], total: 0 })
  })

  it('deletes by its batch key, and sends each value once', async () => {
    const heard = fakeServer({ 'POST batch-delete/guest': () => null })
    await provider().deleteMany('guest', { ids: ['::1|5', '10.0.0.1|6', '::1|7'] })
    expect(heard[0]?.body).toEqual(['::1', '10.0.0.1'])
  })
})

it('An entity that nobody declared is named in the error', async () => {
  await expect(provider().getList('lampe', page(1))).rejects.toThrow('There is no entity "lampe"')
})
