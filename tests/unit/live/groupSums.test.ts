import { expect, it } from 'vitest'
import { packEntries, unpackEntries } from '../../../src/live/feedMessages.ts'
import { groupSums } from '../../../src/resources/server-group/GroupOverview.tsx'

const row = (id: number, name: string) => ({ id, name, last_active: '2026-11-21T12:00:00Z' }) as never

it('A group is what its servers are together: idle and offline ones count with what is true of them', () => {
  const live = unpackEntries(
    packEntries([
      {
        id: 1,
        online: true,
        host: { mem_total: 1000, disk_total: 4000 },
        state: { cpu: 90, mem_used: 500, disk_used: 1000, net_out_speed: 10, net_in_speed: 20 },
      },
      { id: 2, online: true, host: { mem_total: 3000 }, state: { uptime: 60, net_in_speed: 5 } },
      { id: 3, online: false, host: { mem_total: 9000, disk_total: 4000 }, state: { cpu: 99, disk_used: 3000 } },
      { id: 4, online: true, host: { mem_total: 9000 }, state: { cpu: 100 } },
    ]),
  )
  expect(groupSums([row(1, 'web-1'), row(2, 'web-2'), row(3, 'db-3')], live)).toEqual({
    servers: 3,
    online: 2,
    cpu: { mean: 45, highest: 90, busiest: 'web-1' },
    memory: { used: 500, total: 4000, percent: 12.5 },
    disk: { used: 4000, total: 8000, percent: 50 },
    speeds: [10, 25],
  })
  expect(groupSums([], live)).toEqual({
    servers: 0,
    online: 0,
    memory: { used: 0, total: 0 },
    disk: { used: 0, total: 0 },
  })
})
