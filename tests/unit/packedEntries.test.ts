import { describe, expect, it } from 'vitest'
import { packEntries, unpackEntries } from '../../src/live/packedEntries.ts'

describe('all servers at one moment, packed into numbers', () => {
  it('come out as they went in, as far as lists sort by them', () => {
    const entries = [
      {
        id: 7,
        online: true,
        seenAt: 1_795_000_000_123,
        host: { mem_total: 2 ** 33, disk_total: 2 ** 45, platform: 'debian' },
        state: { cpu: 12.5, mem_used: 100, disk_used: 200, net_in_speed: 3, net_out_speed: 4, uptime: 60 },
      },
      { id: 8, online: false, seenAt: 1_795_000_000_000 },
      { id: 9, online: false },
    ]
    const { platform: _platform, ...host } = entries[0]?.host ?? {}
    const { uptime: _uptime, ...state } = entries[0]?.state ?? {}
    expect(unpackEntries(packEntries(entries))).toEqual([{ ...entries[0], host, state }, entries[1], entries[2]])
  })

  it('count figures that the wire leaves out as zero, and tell them from a machine that has not reported', () => {
    const [idle, silent] = unpackEntries(
      packEntries([
        { id: 1, online: true, state: { uptime: 60 } },
        { id: 2, online: true },
      ]),
    )
    expect(idle?.state).toEqual({ cpu: 0, mem_used: 0, disk_used: 0, net_in_speed: 0, net_out_speed: 0 })
    expect(silent?.state).toBeUndefined()
  })
})
