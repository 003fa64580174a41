import { expect, it, onTestFinished, vi } from 'vitest'
import { maxWaiting, openAuditLog } from '../../../server/audit/auditLog.ts'
import { openAuditLines } from '../../../server/db/postgres/auditLines.ts'
import type { PostgresPlace } from '../../../server/db/postgres/connection.ts'
import { isUnreadable } from '../../../server/db/storeError.ts'
import { leadingNode } from '../../support/postgres/leadingNode.ts'
import { networkTo } from '../../support/postgres/networkTo.ts'
import { ask } from '../../support/postgres/startPostgres.ts'
import { testPostgres } from '../../support/postgres/testPostgres.ts'

/** The audit log of a node that leads. */
async function leaderLog(place: PostgresPlace, maxBytes = 1024 ** 2) {
  const { nodeId, store, writer, close } = await leadingNode(place, () => audit.close())
  const onFailure = vi.fn<(error: unknown) => void>()
  const audit = openAuditLog({ storage: openAuditLines({ place, nodeId, writer, maxBytes }), onFailure })
  return { audit, store, onFailure, close }
}

it('pages and searches of the audit log in PostgreSQL are those of a file', async () => {
  const { audit } = await leaderLog(await testPostgres())
  expect(await audit.read(0, 25)).toEqual({ rows: [], total: 0 })
  for (let line = 1; line <= 1200; line++)
    audit.write({ action: line % 100 === 0 ? 'user.delete' : 'user.create', target: `'${line}' ü\u0000\ufdd0\\` })
  for (const [offset, limit] of [
    [0, 25],
    [1190, 25],
    [600, 1],
    [5000, 25],
  ] as const) {
    const { rows, total } = await audit.read(offset, limit)
    const expected = Array.from({ length: 1200 }, (_, line) => 1200 - line).slice(offset, offset + limit)
    expect(rows.map(({ id }) => id)).toEqual(expected)
    expect(rows.map(({ target }) => target)).toEqual(expected.map((line) => `'${line}' ü\u0000\ufdd0\\`))
    expect(total).toBe(1200)
  }
  const filter = { key: 'deletions', matches: ({ action }: { action?: string }) => action === 'user.delete' }
  const found = async (offset: number, limit: number) => {
    const { rows, total } = await audit.read(offset, limit, filter)
    return [rows.map(({ id }) => id), total]
  }
  expect(await found(2, 3)).toEqual([[1000, 900, 800], 12])
  expect(await found(20, 3)).toEqual([[], 12])
  audit.write({ action: 'user.delete' })
  expect(await found(0, 2)).toEqual([[1201, 1200], 13])
})

it('the oldest lines go when there are too many bytes, and the numbers begin with those that are left', async () => {
  const place = await testPostgres()
  const { audit } = await leaderLog(place, 20_000)
  const filter = { key: 'all', matches: () => true }
  audit.write({ action: 'first' })
  expect(await audit.read(0, 10, filter)).toMatchObject({ total: 1 })
  for (let line = 1; line <= 1000; line++) audit.write({ action: 'x'.repeat(60) })
  const { rows, total } = await audit.read(0, 1000)
  expect(total).toBe(rows.length)
  expect(total).toBeLessThan(400)
  expect(rows.at(-1)?.id).toBe(1)
  expect(await audit.read(0, 1000, filter)).toEqual({ rows, total })
  const [stored] = await ask(place, `SELECT sum(octet_length(line) + 1) AS bytes FROM "${place.schema}".audit_line`)
  // What has come since the last look stays until the next one.
  expect(Number(stored?.bytes)).toBeLessThan(20_000 + 100 * 120)
  expect(Number(stored?.bytes)).toBeGreaterThan(19_000)
})

it('while PostgreSQL is away lines wait, a read says so, and all are there after it', async () => {
  const place = await testPostgres()
  const network = await networkTo(place.url)
  onTestFinished(network.close)
  const { audit, store, onFailure } = await leaderLog({ ...place, url: network.url })
  audit.write({ action: 'before' })
  expect(await store.durable(10_000)).toBe(true)
  network.cut('refused')
  await vi.waitFor(() => expect(store.isAway()).toBe(true))
  for (let line = 1; line <= 50; line++) audit.write({ action: `${line}` })
  expect(store.isDurable()).toBe(false)
  expect(await audit.read(0, 1).then(undefined, isUnreadable)).toBe(true)
  network.mend()
  const { rows, total } = await vi.waitFor(() => audit.read(0, 100))
  expect(total).toBe(51)
  expect(rows.map(({ action }) => action).reverse()).toEqual([
    'before',
    ...Array.from({ length: 50 }, (_, line) => `${line + 1}`),
  ])
  expect(onFailure).not.toHaveBeenCalled()

  // Beyond what may wait, the oldest of the last thousand go, and a line says how many.
  network.cut('refused')
  await vi.waitFor(() => expect(store.isAway()).toBe(true))
  for (let line = 0; line < 20_001 + maxWaiting + 7; line++) audit.write({ action: 'many' })
  expect(onFailure).toHaveBeenCalledTimes(1)
  network.mend()
  await vi.waitFor(() => expect(store.isAway()).toBe(false))
  await vi.waitFor(async () => expect(await store.durable(1000)).toBe(true))
  audit.write({ action: 'after' })
  const lost = { key: 'lost', matches: ({ action }: { action?: string }) => action === 'audit.lost' }
  expect(await audit.read(0, 10, lost)).toMatchObject({ total: 1, rows: [{ detail: { lines: expect.any(Number) } }] })
})

it('the next leader goes on where the last one was', async () => {
  const place = await testPostgres()
  const first = await leaderLog(place)
  for (let line = 1; line <= 30; line++) first.audit.write({ action: `${line}` })
  await first.close()
  const second = await leaderLog(place)
  second.audit.write({ action: '31' })
  const { rows, total } = await second.audit.read(0, 100)
  expect([total, rows.map(({ action }) => Number(action))]).toEqual([
    31,
    Array.from({ length: 31 }, (_, line) => 31 - line),
  ])
})
