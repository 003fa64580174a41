import { performance } from 'node:perf_hooks'
import { expect, it, onTestFinished } from 'vitest'
import { openHistory } from '../../../server/db/history/openHistory.ts'
import { createServiceHistories, maxServers, openSamples } from '../../../server/services/history/serviceHistory.ts'

const minute = 60_000
const noon = Date.parse('2026-11-21T12:00:00Z')

/** Measures the longest time without a turn of the event loop, in milliseconds. */
function watchEventLoop() {
  let longest = 0
  let last = performance.now()
  let isOver = false
  const next = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
    if (!isOver) setImmediate(next)
  }
  next()
  onTestFinished(() => {
    isOver = true
  })
  return {
    reset: () => {
      longest = 0
      last = performance.now()
    },
    longest: () => longest,
  }
}

it('20 services on 5,000 servers: summing up, deleting and reading let other work go on, and a reply stays small', async () => {
  const history = openHistory(':memory:')
  const samples = openSamples(history)
  const histories = createServiceHistories(samples)
  const loop = watchEventLoop()
  for (const at of [noon - 11 * minute, noon - 6 * minute]) {
    for (let service = 1; service <= 20; service++) {
      for (let server = 1; server <= 5000; server++) {
        samples.add(
          service,
          server,
          at,
          server === 77 ? { outcome: 'down', problem: '' } : { outcome: 'up', delay: server },
        )
      }
    }
    await samples.checks.flush()
  }
  // Milliseconds. Without turns it would be seconds.
  const limit = 300
  loop.reset()
  await samples.checks.thin(noon)
  expect(loop.longest()).toBeLessThan(limit)
  const { servers, total } = await histories.ofService(3, '1d', noon)
  expect(loop.longest()).toBeLessThan(limit)
  expect(total).toBe(5000)
  expect(servers).toHaveLength(maxServers)
  expect(servers.slice(0, 3).map(({ server }) => server)).toEqual([77, 5000, 4999])
  samples.checks.forget('other', [5])
  loop.reset()
  await samples.checks.thin(noon + 2 * 3_600_000)
  expect(loop.longest()).toBeLessThan(limit)
  // Two of five minutes, one of an hour and one of six, without the deleted server.
  expect(history.rowCount('check')).toBe(4 * 20 * 4999)
  expect((await samples.checks.ids('other')).size).toBe(4999)
})
