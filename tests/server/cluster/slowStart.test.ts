import type { FastifyInstance } from 'fastify'
import { expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '../../../server/app.ts'
import { listen } from '../../../server/start/runningServer.ts'
import { leadingNode } from '../../support/postgres/leadingNode.ts'
import { networkTo } from '../../support/postgres/networkTo.ts'
import { ask } from '../../support/postgres/startPostgres.ts'
import { testPostgres } from '../../support/postgres/testPostgres.ts'

const settings = { host: '127.0.0.1', port: 0 }

/** The start of a node that leads, with features of its own. */
async function startOf(
  { store, writer }: Awaited<ReturnType<typeof leadingNode>>,
  plugins: Parameters<typeof buildApp>[1],
) {
  const cluster = {
    key: Buffer.alloc(32, 1),
    status: async () => ({ term: 1, nodes: [], changes: [] }),
    load: () => ({ term: 1, waiting: 0, silentMs: 0 }),
  }
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  await writer.whileStarting(async () => {
    const app = await buildApp({ store, log, settings, version: '1.2.3', cluster }, plugins)
    onTestFinished(() => app.close())
    await listen(app, settings)
  })
}

/** Does something for longer than a leader may act without having said that it leads, and nothing else gets a turn. */
async function slow(): Promise<void> {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5500)
}

it('a leader whose machine is so busy that its start takes long can save at the start all the same', async () => {
  const place = await testPostgres()
  const node = await leadingNode(place)
  const saving = async (name: string) => node.store.setValue(name, true)
  await startOf(node, [
    slow,
    () => saving('made'),
    async (app: FastifyInstance) => void app.addHook('onReady', slow),
    async (app: FastifyInstance) => void app.addHook('onReady', () => saving('ready')),
  ])
  await vi.waitFor(async () => expect(await node.store.durable(20_000)).toBe(true))
  const rows = await ask(
    place,
    `SELECT name FROM "${place.schema}".value WHERE name IN ('made', 'ready') ORDER BY name`,
  )
  expect(rows).toEqual([{ name: 'made' }, { name: 'ready' }])
})

it('a leader that loses PostgreSQL at its start goes on, and saves when it is back', async () => {
  const place = await testPostgres()
  const network = await networkTo(place.url)
  onTestFinished(network.close)
  const node = await leadingNode({ ...place, url: network.url })
  const cut = async () => {
    network.cut('refused')
    await vi.waitFor(() => expect(node.store.isAway()).toBe(true))
  }
  await startOf(node, [cut, async () => node.store.setValue('made', true)])
  expect(node.store.value('made')).toBe(true)
  // From now on people would be told.
  expect(() => node.store.setValue('later', true)).toThrow('the database cannot be reached')
  network.mend()
  await vi.waitFor(() => expect(node.store.isAway()).toBe(false))
  expect(await node.store.durable(20_000)).toBe(true)
  const rows = await ask(place, `SELECT name FROM "${place.schema}".value WHERE name IN ('made', 'later')`)
  expect(rows).toEqual([{ name: 'made' }])
})

it('a feature that fails at the start is told of as that, and not as an address that is taken', async () => {
  const node = await leadingNode(await testPostgres())
  const failing = async (app: FastifyInstance) =>
    void app.addHook('onReady', async () => {
      throw new Error('a reason of its own')
    })
  await expect(startOf(node, [failing])).rejects.toThrow(/^a reason of its own$/)
})
