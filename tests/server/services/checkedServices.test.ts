import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createCheckedServices, openSavedStatuses } from '../../../server/services/checkedServices.ts'
import { unknownStatus } from '../../../server/services/serviceStatus.ts'
import { service } from '../../../src/schemas/service.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

it('a service that was deleted before another program held the database is not checked any more', () => {
  const path = join(temporaryFolder(), 'data.sqlite')
  const store = openStore(path)
  onTestFinished(() => store.close())
  const table = entityTable(store, service)
  const [kept, deleted] = [table.insert({ name: 'kept' }), table.insert({ name: 'deleted' })]
  openSavedStatuses(store).write(new Map([[deleted, unknownStatus()]]))
  const told: number[] = []
  const services = createCheckedServices(store, (ids) => told.push(...ids), new Set())
  expect([...services.refresh().keys()]).toEqual([kept, deleted])
  table.remove([deleted])
  const added = table.insert({ name: 'added' })
  const other = new DatabaseSync(path)
  other.exec('BEGIN EXCLUSIVE')
  expect(services.refresh()).toEqual(
    new Map([
      [added, expect.objectContaining({ name: 'added' })],
      [deleted, undefined],
    ]),
  )
  expect(told).toEqual([deleted])
  other.close()
  expect(services.refresh().size).toBe(0)
})
