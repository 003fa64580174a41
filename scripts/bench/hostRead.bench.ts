import { test } from 'vitest'
import { createLocalHost } from '../../server/machines/hosts/local/localHost.ts'
import { figure, rounds } from './support/figure.ts'
import { inProcessorTime } from './support/processorTime.ts'

const intervalMs = 2000

test('reading this machine every two seconds', async ({ bench }) => {
  let clock = 0
  const host = createLocalHost({
    uuid: '00000000-0000-4000-8000-000000000000',
    version: 'bench',
    now: () => clock,
    onError(error) {
      throw error
    },
  })
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
