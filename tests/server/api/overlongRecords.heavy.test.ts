import { expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { entities } from '../../../src/schemas/index.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

/** A text can have 512 MiB at most: these are more, uncut. */
const count = 66
const deletedAtOnce = 8
const groups = entities['server-group']
const stamps = { created_at: '2026-11-21T00:00:00Z', updated_at: '2026-11-21T00:00:00Z' }

interface Group {
  group: { id: number; name: string }
}

const group = (name: string) => ({ body: { name, servers: [] } })

it('a list is readable when older records hold 550 MB, and what it cuts is kept by those who save it', async () => {
  const server = await testServer()
  const admin = await signedIn(server)
  const groupsOf = async (query = '') =>
    ((await admin.get(`server-group${query}`)).body as { data?: Group[] }).data ?? []
  const table = entityTable(server.store, groups)
  const long = `${'x'.repeat(126)}\u{1f600}${'x'.repeat(8 * 1024 * 1024)}`
  // Without the emoji, which two show, a character takes one byte of memory and not two.
  const plain = 'x'.repeat(long.length)
  const add = (name: string) => table.insert({ ...stamps, user_id: 2, name, servers: [] })
  const ids: number[] = []
  for (let index = 0; index < count; index++) {
    ids.push(add(index < 2 ? long : plain))
    // As much as may wait for a database elsewhere is less than all of them.
    expect(await server.store.durable(120_000)).toBe(true)
  }
  const list = await groupsOf()
  expect(list).toHaveLength(count)
  const shown = list[0]?.group.name ?? ''
  expect(shown).toHaveLength(128)
  expect(shown).toMatch(/^x{126}.…$/u)
  const [first = 0, second = 0] = ids
  expect((await groupsOf(`?id=${second}`))[0]?.group.name).toBe(long)
  await admin.call('PATCH', `server-group/${first}`, group(shown))
  expect(table.get(first)?.name).toBe(long)
  await admin.call('PATCH', `server-group/${second}`, group('Rack 1'))
  // Nor does it take all of them at once.
  for (let index = 2; index < count; index += deletedAtOnce)
    await admin.call('POST', 'batch-delete/server-group', { body: ids.slice(index, index + deletedAtOnce) })
  expect((await groupsOf()).map(({ group }) => group.name)).toEqual([shown, 'Rack 1'])
})
