import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { migrations } from '../../../server/db/migrations/index.ts'
import type { Migration } from '../../../server/db/migrations/migration.ts'
import type { PostgresPlace } from '../../../server/db/postgres/connection.ts'
import { bringWaitingLines } from '../../../server/db/postgres/waitingAuditLines.ts'
import { networkTo } from '../../support/postgres/networkTo.ts'
import { openNode } from '../../support/postgres/openNode.ts'
import { ask } from '../../support/postgres/startPostgres.ts'
import { testPostgres } from '../../support/postgres/testPostgres.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

/**
 * A network on which a node stands still, as one that is stopped: what it says from the first message on that holds these
 * words arrives nowhere, and PostgreSQL takes its connections for open.
 */
async function standingStillAt(place: PostgresPlace, words: string) {
  let isStill = false
  const network = await networkTo(place.url, undefined, async (bytes) => {
    if (!bytes.includes(words) || isStill) return
    isStill = true
    network.cut('silent')
  })
  onTestFinished(network.close)
  return { ...network, place: { ...place, url: network.url }, isStill: () => isStill }
}

const termOf = async (place: PostgresPlace) =>
  Number((await ask(place, `SELECT term FROM "${place.schema}".cluster`))[0]?.term)

it('a node that is stopped when it has the lock, and has not said yet that it leads, is passed by', async () => {
  const place = await testPostgres()
  const first = await openNode(place)
  const { store: before } = await first.node.lead()
  before.setValue('kept', 1)
  expect(await before.durable(60_000)).toBe(true)
  await first.node.close()
  before.close()
  const network = await standingStillAt(place, 'SET term = term + 1')
  const stopped = await openNode(network.place)
  const stoppedLead = stopped.node.lead().catch(String)
  await vi.waitFor(() => expect(network.isStill()).toBe(true))
  const next = await openNode(place)
  const { store } = await next.node.lead()
  expect(store.value('kept')).toBe(1)
  expect(await termOf(place)).toBe(2)
  network.mend()
  await vi.waitFor(() => expect(stopped.node.isFollowing()).toBe(true))
  await stopped.node.close()
  expect(await stoppedLead).toContain('stopped before it led')
  expect(next.onDemoted).not.toHaveBeenCalled()
  store.close()
})

it('a leader that is stopped when it has connected again, and has not said yet where, is followed by another one', async () => {
  const place = await testPostgres()
  const network = await standingStillAt(place, 'SET backend = pg_backend_pid() WHERE term')
  const leader = await openNode(network.place)
  const { store: before, writer } = await leader.node.lead()
  before.setValue('kept', 1)
  expect(await before.durable(60_000)).toBe(true)
  const next = await openNode(place)
  const led = next.node.lead()
  await vi.waitFor(() => expect(next.node.isFollowing()).toBe(true))
  network.cut('refused')
  network.mend()
  await vi.waitFor(() => expect(network.isStill()).toBe(true))
  const { store } = await led
  // Two never act: the one before has known since its last confirmation that it may not.
  expect(writer.silentMs()).toBeGreaterThan(5000)
  expect(store.value('kept')).toBe(1)
  network.mend()
  await vi.waitFor(() => expect(leader.onDemoted).toHaveBeenCalledOnce())
  expect(await termOf(place)).toBe(2)
  for (const one of [before, store]) one.close()
})

it('a node that is stopped while it brings lines of the audit log keeps nobody from saving', async () => {
  const place = await testPostgres()
  const leader = await openNode(place)
  const { store, writer, identity } = await leader.node.lead()
  expect(await store.durable(60_000)).toBe(true)
  const path = join(temporaryFolder(), 'audit-waiting.log')
  const lineAt = (minute: number) => JSON.stringify({ at: `2026-11-21T12:0${minute}:00.000Z`, method: 'POST' })
  appendFileSync(path, `${JSON.stringify({ cluster: identity })}\n${lineAt(1)}\n`)
  const network = await standingStillAt(place, 'ORDER BY number DESC LIMIT')
  const brought = bringWaitingLines(network.place, path)
  await vi.waitFor(() => expect(network.isStill()).toBe(true))
  writer.append(() => [
    `INSERT INTO "${place.schema}".audit_line (number, ends, line) VALUES (1, ${lineAt(2).length + 1}, '${lineAt(2)}')`,
  ])
  await vi.waitFor(async () => expect(await store.durable(1000)).toBe(true))
  network.mend()
  await expect(brought).rejects.toThrow()
  expect(await bringWaitingLines(network.place, path)).toEqual({ brought: 1, staying: 0 })
  expect(leader.onDemoted).not.toHaveBeenCalled()
  store.close()
})

it('a new leader whose change of all tables takes long keeps the lead meanwhile', async () => {
  const place = await testPostgres()
  const first = await openNode(place)
  const { store: before } = await first.node.lead()
  await first.node.close()
  before.close()
  let isHeld = false
  const network = await networkTo(place.url, undefined, async (bytes) => {
    if (!bytes.includes('TRUNCATE') || isHeld) return
    isHeld = true
    // Longer than a leader may be silent.
    await delay(9000)
  })
  onTestFinished(network.close)
  const later: Migration = { title: 'a table', up: ({ run }) => run('CREATE TABLE later (id INTEGER)') }
  const steps = [...migrations, later]
  const leader = await openNode({ ...place, url: network.url }, { steps })
  const led = leader.node.lead()
  await vi.waitFor(() => expect(isHeld).toBe(true))
  const next = await openNode(place, { steps })
  void next.node.lead().catch(() => {})
  const { store } = await led
  expect(await termOf(place)).toBe(2)
  expect(leader.onDemoted).not.toHaveBeenCalled()
  store.close()
})
