import { entityTable } from '../../../../server/entities/entityTable.ts'
import { server as servers } from '../../../../src/schemas/server.ts'
import { type DataApp, dataApp, member } from '../../console/dataApp.ts'
import { createTestHost, type TestHost } from '../testHost.ts'

const noon = Date.parse('2026-11-21T12:00:00Z')

export interface TaskScene extends DataApp {
  clock: { now: number }
  hosts: [TestHost, TestHost, TestHost]
}

/** Three connected servers at noon; the third belongs to the member. */
export async function threeServers(): Promise<TaskScene> {
  const clock = { now: noon }
  const data = await dataApp({ now: () => clock.now })
  const hosts: TaskScene['hosts'] = [
    createTestHost({ uuid: 'a' }),
    createTestHost({ uuid: 'b' }),
    createTestHost({ uuid: 'c' }),
  ]
  for (const host of hosts) {
    data.machines.add(host)
    host.tell({ at: new Date(noon) })
  }
  entityTable(data.store, servers).update(3, { user_id: member.id })
  return { ...data, clock, hosts }
}
