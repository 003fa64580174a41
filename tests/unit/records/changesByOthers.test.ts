// @vitest-environment jsdom
import { HttpError } from 'ra-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConsoleDataProvider } from '../../../src/dataProvider.ts'
import { currentChangesByOthers, dismissChangesByOthers } from '../../../src/lastVisit/changesByOthers.ts'
import { compareLists, findChangesByOthers, hashList } from '../../../src/lastVisit/findChangesByOthers.ts'
import { noteOwnWrite, ownWrites } from '../../../src/records/ownWrites.ts'
import type { Change } from '../../../src/schemas/endpoints/changeEndpoints.ts'
import { entities } from '../../../src/schemas/index.ts'
import { notification } from '../../../src/schemas/notification.ts'
import { serverGroup } from '../../../src/schemas/serverGroup.ts'

const anna = { id: 1, fullName: 'anna', role: 0 }
const bert = { id: 2, fullName: 'bert', role: 1 }

beforeEach(() => {
  localStorage.clear()
  // Tests of other files in this process have written records as well.
  ;(ownWrites as Map<string, unknown>).clear()
})
afterEach(() => {
  dismissChangesByOthers()
  localStorage.clear()
})

describe('two states of a list', () => {
  const rows = [
    { id: 1, name: 'a', servers: [1, 2] },
    { id: 2, name: 'b', servers: [] },
    { id: 3, name: 'c' },
  ]
  const compare = (now: readonly Record<string, unknown>[]) =>
    compareLists('server-group', hashList(serverGroup, rows, 'salt'), hashList(serverGroup, now, 'salt'))

  it('are the same where servers say "nothing" in different ways, and where only computed fields differ', () => {
    const now = [
      { id: 3, name: 'c', servers: [], updated_at: '2026-11-22T00:00:00Z' },
      { id: 1, name: 'a', servers: [1, 2], created_at: 'x' },
      { id: 2, name: 'b', servers: null },
    ]
    expect(compare(now)).toBeUndefined()
  })

  it('differ by what is new, changed and gone', () => {
    const now = [
      { id: 1, name: 'a', servers: [1] },
      { id: 2, name: 'b', servers: [] },
      { id: 4, name: 'd', servers: [] },
    ]
    expect(compare(now)).toEqual({ entity: 'server-group', added: ['4'], changed: ['1'], removed: ['3'] })
  })

  it('are not compared when another version of the console has hashed other fields', () => {
    const seen = { ...hashList(serverGroup, rows, 'salt'), fields: 'of another version' }
    expect(compareLists('server-group', seen, hashList(serverGroup, [], 'salt'))).toBeUndefined()
  })

  it('are hashes that distinguish ten thousand records, with no content and no secret in them', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ id: 7, name: `name ${index}`, servers: [] }))
    const hashes = many.map((row) => hashList(serverGroup, [row], 'salt').hashes[7])
    expect(new Set(hashes).size).toBe(10_000)
    expect(JSON.stringify(hashList(serverGroup, rows, 'salt'))).not.toMatch(/"[abc]"/)
    const withUrl = (url: string) => hashList(notification, [{ id: 1, name: 'n', url }], 'salt')
    expect(withUrl('https://one.example')).toEqual(withUrl('https://two.example'))
    expect(hashList(serverGroup, rows, 'salt')).not.toEqual(hashList(serverGroup, rows, 'another'))
  })
})

/** A server that answers lists, and changes where it records them. */
function serverWith() {
  const lists: Record<string, Record<string, unknown>[]> = {}
  const changes: Change[] = []
  const asked: string[] = []
  const provider = {
    getList: async (resource: string) => {
      asked.push(resource)
      if (resource === 'nat') throw new HttpError('permission denied', 403)
      return { data: lists[resource] ?? [], total: 0 }
    },
    call: async (_endpoint: unknown, { after, limit }: { after?: number; limit: number }) => {
      asked.push('changes')
      const rows = changes.filter(({ id, user_id }) => after === undefined || (id > after && user_id !== anna.id))
      return { value: rows.slice(0, limit), pagination: { offset: 0, limit, total: rows.length } }
    },
  } as unknown as Pick<ConsoleDataProvider, 'call' | 'getList'>
  const add = (id: number, user_id: number) =>
    changes.unshift({
      id,
      at: '',
      entity: 'cron',
      record_id: id,
      record_name: 'x',
      action: 'updated',
      user_id,
      username: '',
      fields: [],
    })
  return { lists, changes, asked, provider, add }
}

describe('a visit to a server that records changes', () => {
  it('says what others changed since the last one, again and again until it is seen', async () => {
    const { provider, add } = serverWith()
    add(1, bert.id)
    await findChangesByOthers(provider, anna, true)
    expect(currentChangesByOthers()).toBeUndefined()
    add(2, anna.id)
    await findChangesByOthers(provider, anna, true)
    expect(currentChangesByOthers()).toBeUndefined()
    add(3, bert.id)
    add(4, anna.id)
    for (let visit = 1; visit <= 2; visit++) {
      await findChangesByOthers(provider, anna, true)
      expect(currentChangesByOthers()).toMatchObject({ kind: 'recorded', total: 1, changes: [{ id: 3 }] })
    }
    dismissChangesByOthers()
    await findChangesByOthers(provider, anna, true)
    expect(currentChangesByOthers()).toBeUndefined()
  })

  it('is distinguished by account, and begins again with a restored database', async () => {
    const { provider, add, changes } = serverWith()
    add(5, bert.id)
    await findChangesByOthers(provider, anna, true)
    add(6, bert.id)
    await findChangesByOthers(provider, { ...bert, id: 3 }, true)
    expect(currentChangesByOthers()).toBeUndefined()
    changes.length = 0
    add(1, bert.id)
    await findChangesByOthers(provider, anna, true)
    expect(currentChangesByOthers()).toBeUndefined()
    add(2, bert.id)
    await findChangesByOthers(provider, anna, true)
    expect(currentChangesByOthers()).toMatchObject({ total: 1 })
  })
})

describe('a visit to a server that does not', () => {
  it('compares the lists with those of the last visit, passes over one that it may not read, and keeps no content', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { provider, lists, asked } = serverWith()
    lists.cron = [
      { id: 1, name: 'backup', command: 'very private' },
      { id: 2, name: 'clean' },
    ]
    await findChangesByOthers(provider, anna, false)
    expect(currentChangesByOthers()).toBeUndefined()
    expect(asked).not.toContain('changes')
    const expected = Object.values(entities).filter(({ api }) => api.paging === 'whole' && !api.announced)
    expect(asked.toSorted()).toEqual(expected.map(({ name }) => name).toSorted())
    expect(JSON.stringify(localStorage)).not.toMatch(/backup|private|clean/)
    lists.cron = [
      { id: 1, name: 'backup', command: 'another' },
      { id: 3, name: 'new' },
    ]
    for (let visit = 1; visit <= 2; visit++) {
      await findChangesByOthers(provider, anna, false)
      expect(currentChangesByOthers()).toEqual({
        kind: 'compared',
        differences: [{ entity: 'cron', added: ['3'], changed: ['1'], removed: ['2'] }],
      })
    }
    dismissChangesByOthers()
    await findChangesByOthers(provider, anna, false)
    expect(currentChangesByOthers()).toBeUndefined()
  })

  it('says nothing of what the person has written, also when the page goes at once', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { provider, lists } = serverWith()
    lists.service = [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
      { id: 3, name: 'c' },
    ]
    await findChangesByOthers(provider, anna, false)
    noteOwnWrite('service', [1, 3, 4])
    window.dispatchEvent(new Event('pagehide'))
    const stored = JSON.parse(localStorage.getItem('wheelhouse.seen.1.anna') ?? '')
    expect(Object.entries(stored.lists.service.hashes).filter(([, hash]) => hash === '')).toHaveLength(3)
    lists.service = [
      { id: 1, name: 'mine' },
      { id: 2, name: 'theirs' },
      { id: 4, name: 'mine too' },
    ]
    await findChangesByOthers(provider, anna, false)
    expect(currentChangesByOthers()).toEqual({
      kind: 'compared',
      differences: [{ entity: 'service', added: [], changed: ['2'], removed: [] }],
    })
  })

  it('asks for no list that the person may not read', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { provider, asked } = serverWith()
    await findChangesByOthers(provider, bert, false)
    expect(asked).toContain('server')
    expect(asked).not.toContain('user')
  })
})
