import { describe, expect, it } from 'vitest'
import { type Counters, lostBetween, missingIn } from '../../../scripts/soak/counters.ts'
import { checkMemory, memoryIn } from '../../../scripts/soak/memory.ts'

/** Fifteen minutes, four samples each. @param perMinute MiB more in use */
const series = (perMinute: number, rss = 0) =>
  Array.from({ length: 60 }, (_, at) => ({ rss: 200 + at * rss, inUse: 40 + (at / 4) * perMinute + (at % 3) * 0.2 }))

describe('the memory of a server under a soak', () => {
  it('is good while it comes and goes, and also when one sample stands out', () => {
    const samples = series(0)
    samples[50] = { rss: 200, inUse: 90 }
    expect(checkMemory('It', samples).faults).toEqual([])
  })

  it('is not good when a little more is in use every minute, or when the system gave much more', () => {
    expect(checkMemory('It', series(0.3)).faults).toEqual([
      expect.stringMatching(/in use grew by 1\d\.\d MiB per hour, not 10/),
    ])
    expect(checkMemory('It', series(0, 2)).faults).toHaveLength(1)
  })

  it('is not judged after too short a time, which is reported', () => {
    expect(checkMemory('It', series(9).slice(0, 20))).toEqual({
      line: 'It: too short a time to judge its memory',
      faults: [],
    })
  })

  it('is read from what the server prints', () => {
    const output = 'ready\nmemory {"rss":2097152,"inUse":1048576}\nother\n'
    expect(memoryIn(output)).toEqual([{ rss: 2, inUse: 1 }])
  })
})

const service = { up: 100, down: 0, notPermitted: 0 }
const good: Counters = {
  services: [service, { up: 0, down: 0, notPermitted: 9 }, service, { up: 60, down: 40, notPermitted: 0 }],
  alarms: { started: 3, recovered: 2 },
  deliveries: { sent: 4, failed: 4 },
  cycle: 1000,
  tasks: { scheduled: 30, failed: 5, recovered: 2 },
  calls: { notify: 4, ddns: 9 },
}

describe('a soak', () => {
  it('misses nothing when everything happened', () => {
    expect(missingIn(good, 10)).toEqual([])
  })

  it.each([
    ['a service was hardly checked', { services: [{ ...service, up: 20 }, ...good.services.slice(1)] }],
    ['a service that was there was seen down', { services: [{ ...service, down: 1 }, ...good.services.slice(1)] }],
    ['no alert recovered', { alarms: { started: 3, recovered: 0 } }],
    ['no notification arrived', { calls: { notify: 0, ddns: 9 } }],
    ['no name was updated', { calls: { notify: 4, ddns: 0 } }],
    ['tasks did not run', { tasks: { ...good.tasks, scheduled: 3 } }],
    ['no traffic was counted', { cycle: 0 }],
  ])('says so when %s', (_what, change) => {
    expect(missingIn({ ...good, ...change }, 10)).toHaveLength(1)
  })

  it('says what a restart lost', () => {
    expect(lostBetween(good, { ...good, cycle: 999 })).toEqual([
      'The restart lost bytes of the traffic cycle: 1000 before, 999 after.',
    ])
    expect(lostBetween(good, good)).toEqual([])
  })
})
