import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openStore } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createLiveFrames } from '../../../server/machines/live/liveSocket.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { createServerAccess } from '../../../server/machines/serverHooks.ts'
import { server } from '../../../src/schemas/server.ts'
import { admin } from '../../support/console/dataApp.ts'
import { createTestHost } from '../../support/server/testHost.ts'

it('a frame of thousands of machines is made between other work, and has them all', async () => {
  const store = openStore(':memory:')
  const rows = entityTable(store, server)
  const machines = createMachines({ store })
  store.transaction(() => {
    for (let id = 1; id <= 5000; id++) rows.insert({ uuid: `machine-${id}`, name: `web-${id}` })
  })
  const host = createTestHost({ uuid: 'machine-4711' })
  machines.add(host)
  host.report({ state: { cpu: 5, load_1: Number.NaN } })
  const making = createLiveFrames(store, machines, createServerAccess(store)).frame(admin, 1, true)
  let turns = 0
  let isMade = false
  void making.then(() => {
    isMade = true
  })
  while (!isMade) {
    await nextTurn()
    turns++
  }
  expect(turns).toBeGreaterThan(3)
  const { servers } = JSON.parse(String((await making).bytes)) as { servers: { name: string; state?: object }[] }
  expect(servers).toHaveLength(5000)
  expect(servers[4710]).toMatchObject({ name: 'web-4711', state: { cpu: 5 }, missing: ['load_1'] })
})
