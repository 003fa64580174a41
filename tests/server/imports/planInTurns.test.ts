import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { ImportData, ImportedRecord, ImportedServer } from '../../../server/imports/readers/importData.ts'
import { testServer } from '../../support/server/testServer.ts'

const tasks = 1_000

/** A file of many tasks that all have the same name, each for a server of its own. */
const manyTasks = (): ImportData => ({
  kind: 'nezha',
  product: 'Nezha 2',
  users: [],
  servers: Array.from({ length: tasks }, (_, index): ImportedServer => {
    const uuid = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    return { entity: 'server', id: index + 1, name: `web-${index}`, uuid, values: { name: `web-${index}` } }
  }),
  records: Array.from({ length: tasks }, (_, index): ImportedRecord => {
    const values = { name: 'backup', command: 'true', scheduler: '0 0 3 * * *', servers: [index + 1] }
    return { entity: 'cron', id: index + 1, name: 'backup', values }
  }),
  settings: {},
  bindings: [],
  blocked: [],
  skipped: [],
})

it('a large file is planned in turns in which others are served, and names stay apart', async () => {
  const { app } = await testServer()
  await app.ready()
  const planning = app.imports.plan(manyTasks(), { id: 1, username: 'admin', role: 0 }, '')
  let isOver = false
  const watched = planning.finally(() => {
    isOver = true
  })
  let turns = 0
  for (; !isOver; turns++) await nextTurn()
  const { shown } = await watched
  expect(turns).toBeGreaterThan(5)
  const names = shown.changes.filter(({ entity }) => entity === 'cron').map(({ name }) => name)
  expect(new Set(names).size).toBe(tasks)
  expect(names).toContain(`backup (${tasks})`)
})

it('a plan that takes more than five minutes ends with a sentence, and the next one can be made', async () => {
  const { app } = await testServer()
  await app.ready()
  const plan = () => app.imports.plan(manyTasks(), { id: 1, username: 'admin', role: 0 }, '')
  const now = performance.now.bind(performance)
  let ahead = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    ahead += 1_000
    return now() + ahead
  })
  onTestFinished(() => clock.mockRestore())
  await expect(plan()).rejects.toThrow('planning took more than 5 minutes: try again')
  clock.mockRestore()
  expect((await plan()).shown.changes.length).toBeGreaterThan(tasks)
})
