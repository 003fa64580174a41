import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import { choice, flag, idSet, name, ref, secret } from '../../../src/schemas/define/fields.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { admin, dataApp, member } from '../../support/console/dataApp.ts'

/** An entity without hooks: its schema alone decides what may be saved. */
const toy = defineEntity({
  name: 'toy',
  form: z.object({
    name: name(),
    colour: choice({ 1: 'red', 2: 'blue' }).default(1),
    pieces: z.int().min(5).max(720).default(60),
    open: flag(true),
    page: z.url().optional(),
    key: secret().optional(),
    place: ref('server').optional(),
    skip: idSet('server').optional(),
    label: z.string().max(3).optional(),
  }),
  access: { delete: 'admin' },
})
const readOnly = defineEntity({ name: 'fact', form: z.object({}), api: { verbs: [], listPath: 'fact/all' } })

const app = () => dataApp({ entities: [toy, readOnly] })

describe('an entity without hooks', () => {
  it('is created with the defaults of its schema, and listed', async () => {
    const { call } = await app()
    expect((await call('POST', 'toy', { name: ' ball ' })).body).toEqual({ success: true, data: 1 })
    expect((await call('GET', 'toy')).body).toEqual({
      success: true,
      data: [
        {
          id: 1,
          created_at: expect.any(String),
          updated_at: expect.any(String),
          name: 'ball',
          colour: 1,
          pieces: 60,
          open: true,
        },
      ],
    })
  })

  it.each([
    [{}, 'name is missing'],
    [{ name: '  ' }, 'name must not be empty'],
    [{ name: 'x', pieces: 4 }, 'pieces must be at least 5'],
    [{ name: 'x', pieces: 721 }, 'pieces must be at most 720'],
    [{ name: 'x', colour: 9 }, 'colour: Choose one of the listed values'],
    [{ name: 'x', page: 'nowhere' }, 'page is not a valid url'],
    [{ name: 'x', place: 0 }, 'place must be at least 1'],
    [{ name: 'x', label: 'long' }, 'label must have at most 3 characters'],
    [{ name: 5 }, 'name must be a string'],
    [{ name: 'x', pieces: 5.5 }, 'pieces must be an integer'],
    [{ name: 'x', pieces: '5' }, 'pieces must be a number'],
    [{ name: 'x', open: 1 }, 'open must be true or false'],
    [{ name: 'x', skip: [1] }, 'skip must be an object'],
    [[], 'the body must be an object'],
    ['{"name":', 'the body is not valid JSON'],
    ['', 'the body is not valid JSON'],
  ])('refuses %j: %s', async (form, words) => {
    const { call } = await app()
    expect(await call('POST', 'toy', form)).toEqual({ status: 200, body: { error: words } })
    expect((await call('GET', 'toy')).body).toEqual({ success: true })
  })

  it('refuses values that are nested too deep to be stored', async () => {
    const { call } = await app()
    const body = `{"name":${'['.repeat(5000)}${']'.repeat(5000)}}`
    expect((await call('POST', 'toy', body)).body).toEqual({ error: 'the body is nested deeper than 1000 levels' })
  })

  it('is replaced whole by an update', async () => {
    const { call, store } = await app()
    const server = entityTable(store, servers).insert({ user_id: admin.id })
    await call('POST', 'toy', { name: 'a', label: 'x', skip: { [server]: true }, place: server, open: false })
    expect((await call('GET', 'toy')).body).toMatchObject({
      data: [{ label: 'x', skip: { [server]: true }, place: server }],
    })
    expect((await call('PATCH', 'toy/1', { name: 'b' })).body).toEqual({ success: true })
    const { data } = (await call('GET', 'toy')).body as { data: object[] }
    expect(data[0]).toMatchObject({ name: 'b', open: true })
    expect(data[0]).not.toHaveProperty('label')
    expect(data[0]).not.toHaveProperty('place')
  })

  it('hides a secret, and keeps the stored one until another is given', async () => {
    const { call, store } = await app()
    const stored = () => entityTable(store, toy).get(1)?.key
    await call('POST', 'toy', { name: 'a', key: 'first' })
    expect(JSON.stringify(await call('GET', 'toy'))).not.toContain('first')
    await call('PATCH', 'toy/1', { name: 'b', key: '' })
    await call('PATCH', 'toy/1', { name: 'c' })
    expect(stored()).toBe('first')
    await call('PATCH', 'toy/1', { name: 'c', key: 'second' })
    expect(stored()).toBe('second')
  })

  it('has no record of an unknown id', async () => {
    const { call } = await app()
    expect((await call('PATCH', 'toy/7', { name: 'b' })).body).toEqual({ error: 'toy id 7 does not exist' })
  })

  it('lists the requested ids, or the whole list when none of them exists', async () => {
    const { call } = await app()
    for (const each of ['a', 'b', 'c']) await call('POST', 'toy', { name: each })
    const names = async (query: string) =>
      ((await call('GET', `toy${query}`)).body as { data: { name: string }[] }).data.map((row) => row.name).join('')
    expect(await names('?id=3,1,99')).toBe('ac')
    expect(await names('?id=99')).toBe('abc')
    expect(await names('?id=')).toBe('abc')
  })

  it('does not list requested records of others', async () => {
    const { call } = await app()
    await call('POST', 'toy', { name: 'admin' }, admin)
    await call('POST', 'toy', { name: 'member' }, member)
    expect((await call('GET', 'toy?id=1', undefined, member)).body).toMatchObject({ data: [{ name: 'member' }] })
  })

  it('follows the access rules and verbs of its declaration', async () => {
    const { call } = await app()
    await call('POST', 'toy', { name: 'mine' }, member)
    expect((await call('POST', 'batch-delete/toy', [1], member)).body).toEqual({ error: 'permission denied' })
    expect((await call('POST', 'batch-delete/toy', [1], admin)).body).toEqual({ success: true })
    expect((await call('GET', 'fact/all')).body).toEqual({ success: true })
    expect((await call('POST', 'fact', {})).status).toBe(404)
    expect((await call('POST', 'batch-delete/fact', [])).status).toBe(404)
  })
})

describe('openapi.json', () => {
  type Document = { openapi: string; info: object; paths: Record<string, Record<string, Operation>> }
  type Operation = { security: unknown[]; requestBody?: unknown; responses: Record<string, object> }

  it('describes exactly the registered routes, with body and security', async () => {
    const { call } = await app()
    const { openapi, info, paths } = (await call('GET', 'openapi.json', undefined, null)).body as Document
    expect(openapi).toBe('3.1.0')
    expect(info).toMatchObject({ version: '1.2.3' })
    const routes = Object.entries(paths).flatMap(([path, verbs]) => Object.keys(verbs).map((verb) => `${verb} ${path}`))
    expect(routes.sort()).toEqual([
      'get /api/v1/fact/all',
      'get /api/v1/server/config/{id}',
      'get /api/v1/toy',
      'get /api/v1/transfer',
      'patch /api/v1/toy/{id}',
      'post /api/v1/batch-delete/toy',
      'post /api/v1/batch-move/server',
      'post /api/v1/force-update/server',
      'post /api/v1/server/config',
      'post /api/v1/toy',
      'post /api/v1/transfer/{id}/cancel',
      'post /api/v1/transfer/{id}/retry',
    ])
    expect(paths['/api/v1/toy']?.post).toMatchObject({
      security: [{ session: [] }],
      requestBody: {
        content: { 'application/json': { schema: { required: ['name'], properties: { pieces: { maximum: 720 } } } } },
      },
    })
    expect(paths['/api/v1/toy/{id}']?.patch).toMatchObject({ parameters: [{ name: 'id', in: 'path' }] })
    expect(JSON.stringify(paths['/api/v1/toy']?.get?.responses)).toContain('"pieces"')
  })
})
