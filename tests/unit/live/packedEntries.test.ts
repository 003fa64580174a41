import { describe, expect, it } from 'vitest'
import { packEntries, unpackEntries } from '../../../src/live/feedMessages.ts'

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
    const unpacked = unpackEntries(packEntries(entries))
    expect(unpacked.get(7)).toEqual({ ...entries[0], host, state })
    expect(unpacked.get(8)).toMatchObject({ ...entries[1] })
    expect(unpacked.get(9)).toMatchObject({ ...entries[2] })
    expect(unpacked.get(9)?.seenAt).toBeUndefined()
    expect(unpacked.get(10)).toBeUndefined()
  })

  it('count metrics that the wire leaves out as zero, and tell them from a machine that has not reported', () => {
    const unpacked = unpackEntries(
      packEntries([
        { id: 1, online: true, state: { uptime: 60 } },
        { id: 2, online: true },
      ]),
    )
    expect(unpacked.get(1)?.state).toEqual({ cpu: 0, mem_used: 0, disk_used: 0, net_in_speed: 0, net_out_speed: 0 })
    expect(Object.values(unpacked.get(2)?.state ?? {})).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ])
  })

  it('tell a metric of which nothing true is known from zero', () => {
    const entry = { id: 1, online: true, state: { mem_used: 5 }, missing: ['load_1', 'cpu', 'net_out_speed'] }
    const unpacked = unpackEntries(packEntries([entry])).get(1)
    expect(unpacked?.state).toMatchObject({ cpu: Number.NaN, net_out_speed: Number.NaN, mem_used: 5, disk_used: 0 })
  })
})
