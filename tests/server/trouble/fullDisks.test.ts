import { expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { watchFullDisks } from '../../../server/trouble/troublePlugin.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { emptyStore } from '../../support/server/emptyStore.ts'
import { createTestHost } from '../../support/server/testHost.ts'

it('a server that was deleted while its disk was full is not remembered', async () => {
  const store = await emptyStore()
  const machines = createMachines({ store })
  const { fullDisks, stop } = watchFullDisks(machines)
  const host = createTestHost()
  machines.add(host)
  host.report({ host: { disk_total: 100 }, state: { disk_used: 99 } })
  const rows = entityTable(store, serverEntity)
  const [row] = rows.all()
  expect([...fullDisks]).toEqual([row?.id])
  host.disconnect()
  if (row) machines.forget([row])
  expect([...fullDisks]).toEqual([])
  stop()
  await machines.stop()
})
