import { expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../../server/app.ts'
import { leadingNode } from '../../support/postgres/leadingNode.ts'
import { testPostgres } from '../../support/postgres/testPostgres.ts'

it('a leader whose machine is so busy that its start takes long can save at the start all the same', async () => {
  const { store } = await leadingNode(await testPostgres())
  const saved: string[] = []
  /** Does something for longer than a leader may act without having said that it leads, and nothing else gets a turn. */
  async function slow(): Promise<void> {
    const until = performance.now() + 5500
    while (performance.now() < until);
  }
  async function saving(): Promise<void> {
    store.setValue('saved', true)
    saved.push('saved')
  }
  const cluster = {
    key: Buffer.alloc(32, 1),
    status: async () => ({ term: 1, nodes: [], changes: [] }),
    load: () => ({ term: 1, waiting: 0, silentMs: 0 }),
  }
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const app = await buildApp({ store, log, settings: { host: '127.0.0.1' }, version: '1.2.3', cluster }, [slow, saving])
  onTestFinished(() => app.close())
  expect(saved).toEqual(['saved'])
}, 120_000)
