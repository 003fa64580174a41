import { beforeAll, describe, expect, it } from 'vitest'
import { openAlarms } from '../../../server/alerts/alarms.ts'
import { openAuditLog } from '../../../server/audit/auditLog.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { delivery } from '../../../src/schemas/delivery.ts'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

type Asked = Record<string, string>

/** Asks a list for the rows that pass filters, as an administrator or a member. */
async function listOf(server: TestServer, path: string, role?: 'admin' | 'member') {
  const browser = await signedIn(server, role)
  return async (filter: Asked, page = '') => {
    const { body } = await browser.get(`wheelhouse/${path}?${new URLSearchParams(filter)}${page}`)
    const { data, error } = body as {
      data?: { value?: { id: number }[]; pagination: { total?: number } }
      error?: string
    }
    return error ?? { ids: data?.value?.map(({ id }) => id) ?? [], total: data?.pagination.total ?? 0 }
  }
}

async function alarmServer() {
  const { store, app } = await testServer()
  await app.close()
  const alarms = openAlarms(store, (error) => expect(error).toBeUndefined())
  const fired = { owner_id: 1, rule_version: '1', server_id: 4, causes: [{ type: 'cpu', value: 97 }], notified: true }
  const day = (number: number) => Date.UTC(2026, 10, number)
  const over = alarms.open({ ...fired, rule_id: 1, rule_name: 'busy', server_name: 'web-1', started_at: day(1) })
  alarms.close(over, day(2), false)
  const gone = alarms.open({ ...fired, rule_id: 2, rule_name: 'away', server_name: 'web-1', started_at: day(3) })
  alarms.close(gone, day(4), true)
  const own = { ...fired, rule_id: 2, rule_name: 'away', server_id: 5, server_name: 'db-1', owner_id: 2 }
  alarms.open({ ...own, started_at: day(5) })
  return testServer({ store })
}

describe('The alarm history is filtered', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await alarmServer()
  })

  it.each<[string, Asked, number[]]>([
    ['by state', { state: 'running' }, [3]],
    ['by a state of none', { state: 'paused' }, []],
    ['by another state', { state: 'recovered' }, [1]],
    ['by withdrawal', { state: 'withdrawn' }, [2]],
    ['by rule', { rule_id: '2' }, [3, 2]],
    ['by server', { server_id: '4' }, [2, 1]],
    ['by period', { started_at: '2026-11-02T00:00:00Z/2026-11-04T00:00:00Z' }, [2]],
    ['by the beginning of a period', { started_at: '2026-11-03T00:00:00Z/' }, [3, 2]],
    ['by words in any case', { q: 'AWAY web' }, [2]],
    ['by all of them together', { rule_id: '2', server_id: '4', q: 'cpu' }, [2]],
    ['by nothing', { state: '', unknown: 'x' }, [3, 2, 1]],
  ])('%s', async (_, filter, ids) => {
    const read = await listOf(server, 'alarms')
    expect(await read(filter)).toEqual({ ids, total: ids.length })
  })

  it('within what a member may see, and page by page', async () => {
    expect(await (await listOf(server, 'alarms', 'member'))({ q: 'away' })).toEqual({ ids: [3], total: 1 })
    expect(await (await listOf(server, 'alarms'))({ rule_id: '2' }, '&offset=1&limit=1')).toEqual({
      ids: [2],
      total: 2,
    })
  })

  it.each([{ state: 'odd' }, { rule_id: 'one' }, { started_at: 'yesterday' }, { q: 'x'.repeat(257) }])(
    'not by a value that makes no sense: %o',
    async (filter) => {
      const read = await listOf(server, 'alarms')
      expect(await read(filter as unknown as Asked)).toBe(
        `the filter ${Object.keys(filter)[0]} does not take this value`,
      )
    },
  )
})

describe('The delivery log is filtered', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer()
    const table = entityTable(server.store, delivery)
    const entry = { user_id: 1, notification_group_id: 1, tries: 1, duration: 5, count: 1, code: 200, reply: '' }
    table.insert({ ...entry, at: '2026-11-01T00:00:00.000Z', notification_id: 6, state: 1, message: 'up' })
    table.insert({
      ...entry,
      at: '2026-11-02T00:00:00.000Z',
      notification_id: 7,
      state: 2,
      message: 'down',
      reply: 'Refused',
    })
  })

  it.each<[string, Asked, number[]]>([
    ['by notifier', { notification_id: '7' }, [2]],
    ['by group', { notification_group_id: '1' }, [2, 1]],
    ['by result', { state: '2' }, [2]],
    ['by period', { at: '/2026-11-01T12:00:00Z' }, [1]],
    ['by words', { q: 'refused' }, [2]],
  ])('%s', async (_, filter, ids) => {
    expect(await (await listOf(server, 'deliveries'))(filter)).toEqual({ ids, total: ids.length })
  })
})

describe('The audit log is filtered', () => {
  it.each<[string, Asked, number[]]>([
    ['by person', { user_id: '2' }, [2]],
    ['by action', { action: 'user.' }, [3, 2]],
    ['by what it was done to', { target: 'user 8' }, [3]],
    ['by address', { address: '203.0' }, [2]],
    ['by words in its details', { q: 'nobody' }, [3]],
  ])('%s', async (_, filter, ids) => {
    const audit = openAuditLog()
    const server = await testServer({ audit })
    audit.write({ action: 'server.update', person: { id: 1, username: 'admin' }, target: 'server 1' })
    audit.write({ action: 'user.create', person: { id: 2, username: 'm' }, target: 'user 7', address: '203.0.113.9' })
    audit.write({
      action: 'user.delete',
      person: { id: 1, username: 'admin' },
      target: 'user 8',
      detail: { name: 'Nobody' },
    })
    const found = await (await listOf(server, 'audit'))(filter)
    // The sign-in of this test is a line, too.
    expect((found as { ids: number[] }).ids.filter((id) => id <= 3)).toEqual(ids)
  })
})
