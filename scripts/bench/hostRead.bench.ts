import { test } from 'vitest'
import { benchHost } from './support/benchHost.ts'
import { figure, rounds } from './support/figure.ts'
import { inProcessorTime } from './support/processorTime.ts'

const intervalMs = 2000

test('reading this machine every two seconds', async ({ bench }) => {
  let clock = 0
  const host = benchHost(() => clock)
  const read = inProcessorTime(async () => {
    // The clock moves on, so that disks and sensors are asked as often as in real use.
    clock += intervalMs
    await host.readState()
    await host.facts()
  })
  // The first facts load a library: a cost of starting, not of watching.
  const { latency } = await bench('processor time of a read', read).run(rounds(600, 1))
  await host.stop()
  const percent = (100 * latency.mean) / intervalMs
  figure('one core', percent, '%', { max: 2, why: 'the machine has other work than to be watched' })
})
