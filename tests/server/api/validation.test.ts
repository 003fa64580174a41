import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { EntityHooks } from '../../../server/api/entityHooks.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { ApiError } from '../../../server/wire/apiCall.ts'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import { name, ref } from '../../../src/schemas/define/fields.ts'
import { server } from '../../../src/schemas/server.ts'
import { service } from '../../../src/schemas/service.ts'
import { dataApp } from '../../support/console/dataApp.ts'

const toy = defineEntity({
  name: 'toy',
  form: z.object({ name: name(), pieces: z.int().min(5).default(60), place: ref('server').optional() }),
})

const appWith = (hooks: EntityHooks) => dataApp({ entities: [toy], hooks: { toy: hooks } })

const noBalls: EntityHooks = {
  validate(form) {
    if (form.name === 'ball') throw new ApiError('balls are not allowed')
    return { ...form, name: String(form.name).toUpperCase() }
  },
}

describe('an entity whose hooks validate', () => {
  it.each([
    [{ name: '' }, 'name must not be empty'],
    [{ name: 'car', pieces: 4 }, 'pieces must be at least 5'],
    [{ name: 'car', place: 7 }, 'place: server id 7 does not exist'],
    [{ name: ' ball ' }, 'balls are not allowed'],
  ])('is validated by its schema too: %j', async (form, error) => {
    const { call } = await appWith(noBalls)
    expect((await call('POST', 'toy', form)).body).toEqual({ error })
    await call('POST', 'toy', { name: 'car' })
    expect((await call('PATCH', 'toy/1', form)).body).toEqual({ error })
  })

  it('saves what they return, with the defaults of the schema', async () => {
    const { call } = await appWith(noBalls)
    await call('POST', 'toy', { name: 'car' })
    expect((await call('GET', 'toy')).body).toMatchObject({ data: [{ name: 'CAR', pieces: 60 }] })
  })

  it('gets no further than its schema before it waits for something', async () => {
    const forms: unknown[] = []
    const { call } = await appWith({ beforeSave: async (form) => void forms.push(form) })
    await call('POST', 'toy', { name: 'car', pieces: 4 })
    await call('POST', 'toy', { name: ' car ' })
    expect(forms).toEqual([{ name: 'car', pieces: 60, place: 0 }])
  })
})

describe('an entity that is validated by the contract', () => {
  it('accepts what its hooks accept, and takes zero for what is left out', async () => {
    const { call } = await appWith({ ...noBalls, validation: 'contract' })
    expect((await call('POST', 'toy', {})).body).toEqual({ success: true, data: 1 })
    expect((await call('GET', 'toy')).body).toMatchObject({ data: [{ name: '', pieces: 0 }] })
    expect((await call('POST', 'toy', { name: 'ball' })).body).toEqual({ error: 'balls are not allowed' })
  })

  it.each([
    ['service', { name: '\u200b\u2800', type: 2, target: 'a.example' }, 'name: Required'],
    ['server-group', { name: ' \t', servers: [] }, 'name must not be empty'],
    [
      'service',
      { name: 'a', type: 2, target: 'a.example:80' },
      'target: Must be a host name or an IP address, without a port',
    ],
    [
      'service',
      { name: 'a', type: 2, target: '[2001:db8::1]' },
      'target: Must be a host name or an IP address, without a port',
    ],
    [
      'service',
      { name: 'a', type: 3, target: 'a.example:0' },
      'target: Must be a host and a port, such as example.com:443',
    ],
    [
      'nat',
      { name: 'a', server_id: 1, host: '127.0.0.1:0', domain: 'a.example' },
      'host: Must be a host with its port, such as 127.0.0.1:8080',
    ],
  ])('takes no text that its form refuses: %s %j', async (entity, form, error) => {
    const { call, store } = await dataApp()
    entityTable(store, server).insert({ name: 'one', user_id: 1 })
    expect((await call('POST', entity, form)).body).toEqual({ error })
  })

  it('keeps a text that is stored already', async () => {
    const { call, store } = await dataApp()
    const old = { name: '\u200b', type: 2, target: 'a.example:80', skip_servers: {} }
    entityTable(store, service).insert({ ...old, user_id: 1 })
    expect((await call('PATCH', 'service/1', { ...old, duration: 60 })).body).toMatchObject({ success: true })
  })

  it('is refused in the words of the contract', async () => {
    const { call } = await appWith({ validation: 'contract' })
    const error = async (body: unknown) => ((await call('POST', 'toy', body)).body as { error: string }).error
    expect(await error({ name: 5 })).toBe(
      'json: cannot unmarshal number into Go struct field ToyForm.name of type string',
    )
    expect(await error('{"name":')).toBe('unexpected EOF')
    expect(await error({ place: 7 })).toBe('server id 7 does not exist')
  })
})

describe('a batch call', () => {
  it.each([
    ['{', 'the body is not valid JSON'],
    [{ ids: [1] }, 'the body must be a list of ids'],
    [['1'], 'the body must be a list of ids'],
    [[-1], 'the body must be a list of ids'],
  ])('of an entity of our own is refused in our words: %j', async (body, error) => {
    const { call } = await appWith({})
    expect((await call('POST', 'batch-delete/toy', body)).body).toEqual({ error })
    expect((await call('POST', 'batch-delete/toy', null)).body).toEqual({ success: true })
  })

  it('of an entity of the contract is refused in the words of the contract', async () => {
    const { call } = await appWith({ validation: 'contract' })
    const { body } = await call('POST', 'batch-delete/toy', ['1'])
    expect(body).toEqual({ error: 'json: cannot unmarshal string into Go value of type uint64' })
  })
})
