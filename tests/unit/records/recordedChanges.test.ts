// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createDataProvider } from '../../../src/dataProvider.ts'
import { createQueryClient } from '../../../src/records/queryClient.ts'
import type { Row } from '../../../src/records/queryRows.ts'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import { facts, name, refOrNone, refs, secret } from '../../../src/schemas/define/fields.ts'
import { forgetChanges } from '../../../src/storage/forgetChanges.ts'
import {
  type ChangeAction,
  changeLimits,
  expiredActions,
  readActions,
  readChanges,
} from '../../../src/undo/changeDatabase.ts'
import { newChangeGroup } from '../../../src/undo/changeGroup.ts'
import { createChangeRecorder, lastAction } from '../../../src/undo/changeRecorder.ts'
import { changesToVersion, restoreVersion } from '../../../src/undo/restoreVersion.ts'
import { fakeIndexedDb } from '../../support/fakes/fakeIndexedDb.ts'
import { recordServer } from '../../support/fakes/recordServer.ts'

const device = defineEntity({
  name: 'device',
  form: z.object({
    name: name(),
    watts: z.int().default(40),
    note: z.string().optional(),
    pin: secret().optional(),
    url: z.string().register(facts, { concealedBy: 'url' }).default(''),
  }),
})
const rack = defineEntity({
  name: 'rack',
  form: z.object({ name: name(), devices: refs('device').default([]), spare: refOrNone('device').default(0) }),
})
const entities = { device, rack }
const account = '1 2026-01-01'

const setUp = (refuse?: (call: string) => string | undefined) => {
  fakeIndexedDb()
  const rows: Record<string, Row[]> = {
    device: [
      { id: 1, name: 'desk', watts: 40, note: 'old', made_in: 'Turin' },
      { id: 2, name: 'hall', watts: 60, url: 'https://hall.example/token' },
    ],
    rack: [{ id: 3, name: 'a', devices: [1, 2], spare: 2 }],
  }
  recordServer(Object.values(entities), rows, refuse)
  const provider = createDataProvider(
    createQueryClient(),
    (entity) => entities[entity as keyof typeof entities],
    Object.values(entities),
    createChangeRecorder(() => account),
  )
  return { rows, provider }
}

const everything = async () => JSON.stringify(await Promise.all((await readActions(account)).map(readAll)))
const readAll = async (action: ChangeAction) => ({ ...action, records: await readChanges(action.key) })

describe('What is stored of a change', () => {
  it('are the changed fields before and after, grouped by action', async () => {
    const { provider } = setUp()
    const changeGroup = newChangeGroup()
    for (const id of [1, 2])
      await provider.update('device', { id, data: { watts: 5 }, previousData: undefined, meta: { changeGroup } })
    await provider.update('device', { id: 1, data: { note: '' }, previousData: undefined })
    const actions = await Promise.all((await readActions(account)).map(readAll))
    expect(actions).toMatchObject([
      { entity: 'device', verb: 'update', count: 1, name: 'desk', fields: ['note'] },
      { count: 2, name: 'desk', fields: ['watts'] },
    ])
    expect(actions[1]?.records).toMatchObject([
      { recordId: 1, name: 'desk', before: { watts: 40 }, after: { watts: 5 } },
      { recordId: 2, name: 'hall', before: { watts: 60 }, after: { watts: 5 } },
    ])
    expect(lastAction('device', 'update')).toBe(actions[0]?.key)
  })

  it('is what a deleted record had and what pointed at it', async () => {
    const { provider } = setUp()
    await provider.deleteMany('device', { ids: [2], meta: { referrers: ['rack'] } })
    const [deletion] = await Promise.all((await readActions(account)).map(readAll))
    expect(deletion).toMatchObject({ verb: 'delete', count: 1, name: 'hall' })
    expect(deletion?.records).toMatchObject([
      {
        before: { name: 'hall', watts: 60 },
        secrets: ['pin', 'url'],
        references: [
          { entity: 'rack', id: 3, field: 'devices' },
          { entity: 'rack', id: 3, field: 'spare' },
        ],
      },
    ])
  })

  it('never is a secret, whether it was sent or shown', async () => {
    const { provider } = setUp()
    await provider.update('device', {
      id: 2,
      data: { pin: 'hunter2', url: 'https://new.example/token2' },
      previousData: undefined,
    })
    await provider.deleteMany('device', { ids: [2] })
    const stored = await everything()
    expect(stored).toContain('"secrets":["pin","url"]')
    expect(stored).not.toMatch(/hunter2|token|example/)
  })

  it('is nothing when the server refused the change', async () => {
    const { provider } = setUp((call) => (call.startsWith('PATCH') || call.startsWith('POST') ? 'no' : undefined))
    await expect(provider.update('device', { id: 1, data: { watts: 5 }, previousData: undefined })).rejects.toThrow(
      'no',
    )
    await expect(provider.deleteMany('device', { ids: [1, 2] })).rejects.toThrow('no')
    expect(await readActions(account)).toEqual([])
  })

  it.each([
    ['never came', () => Promise.reject(new TypeError('connection lost'))],
    ['was cut off on its way', async () => new Response('{"success":true,"da')],
  ])('is there even if the reply to the change %s', async (_what, reply) => {
    const { provider } = setUp()
    const answer = fetch
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
      init?.method === 'PATCH' ? reply() : answer(url, init),
    )
    await expect(provider.update('device', { id: 1, data: { watts: 5 }, previousData: undefined })).rejects.toThrow()
    expect(await readActions(account)).toHaveLength(1)
  })

  it('does not stop a change when the browser refuses to store it', async () => {
    const { provider, rows } = setUp()
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new Error('forbidden')
      },
    })
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await provider.update('device', { id: 1, data: { watts: 5 }, previousData: undefined })
    expect(rows.device?.[0]).toMatchObject({ watts: 5 })
    expect(warn).toHaveBeenCalledOnce()
  })

  it('is deleted for all accounts on sign-out, and for another account at the next start', async () => {
    const { provider } = setUp()
    await provider.update('device', { id: 1, data: { watts: 5 }, previousData: undefined })
    expect(await readActions('2 2026-02-02')).toEqual([])
    expect(await readActions(account)).toEqual([])
    await provider.update('device', { id: 1, data: { watts: 6 }, previousData: undefined })
    forgetChanges()
    expect(await readActions(account)).toEqual([])
  })
})

describe('How much is stored', () => {
  const action = (key: string, fields: Partial<ChangeAction>): ChangeAction => ({
    key,
    account,
    entity: 'device',
    verb: 'update',
    at: 0,
    count: 1,
    chars: 1,
    name: '',
    fields: [],
    undone: 0,
    newIds: {},
    ...fields,
  })

  it('is a day, and then as much as there is room for, latest first', () => {
    const now = 10 * changeLimits.ageMs
    const actions = [
      action('old', { at: now - changeLimits.ageMs }),
      action('first', { at: now - 3, count: changeLimits.records }),
      action('second', { at: now - 2, chars: changeLimits.chars - 2 }),
      action('last', { at: now - 1 }),
      action('of another clock', { at: now + changeLimits.ageMs }),
      action('of somebody else', { at: now - 1, account: '2' }),
    ]
    expect(expiredActions(actions, account, now)).toEqual(['old', 'first', 'of another clock', 'of somebody else'])
  })

  it('leaves out an action that is too large, and says so', async () => {
    const { provider } = setUp()
    await provider.update('device', {
      id: 1,
      data: { note: 'x'.repeat(changeLimits.recordChars) },
      previousData: undefined,
    })
    const [huge] = await readActions(account)
    expect(huge).toMatchObject({ isTooLarge: true, count: 1 })
    expect(await readChanges(huge?.key ?? '')).toEqual([])
  })
})

describe('An earlier version of a record', () => {
  const now = { id: 1, name: 'table', watts: 5, note: 'new', url: '' }

  it('is restored field by field, without secrets and unknown fields', () => {
    const version = { name: 'desk', watts: 5, pin: 'x', url: 'y', made_in: 'Rome', id: 9 }
    expect(changesToVersion(device, now, version)).toEqual({ name: 'desk' })
  })

  it('may have been empty in a field: what the wire left out', () => {
    expect(changesToVersion(device, now, {}, ['note', 'watts'])).toEqual({ note: '', watts: 0 })
  })

  it('keeps what others changed since, and asks where both changed the same field', async () => {
    const { provider, rows } = setUp()
    const base = { ...(rows.device?.[0] as Row) }
    rows.device = [{ ...base, note: 'theirs' }]
    const restore = (version: Record<string, unknown>) => restoreVersion(provider, device, { id: 1, base, version })
    expect(await restore({ watts: 7, note: 'old' })).toEqual(['watts'])
    expect(rows.device[0]).toMatchObject({ watts: 7, note: 'theirs', made_in: 'Turin' })
    await expect(restore({ note: 'older' })).rejects.toMatchObject({ status: 409, body: { fields: ['note'] } })
    expect(await restore({ ...base })).toEqual([])
  })
})
