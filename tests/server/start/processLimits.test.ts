import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../support/root.ts'

/** Replaces what many machines reported again and again, and prints the largest heap in MiB. */
const program = `
  import { getHeapStatistics } from 'node:v8'
  const reports = new Map()
  let most = 0
  for (let count = 0; count < 2_000_000; count++) {
    reports.set(count % 200_000, { cpu: count, load: [count, count + 1], name: 'machine ' + count })
    if (count % 10_000 === 0) most = Math.max(most, getHeapStatistics().used_heap_size)
  }
  console.log(most / 1024 / 1024)`

function largestHeap(...args: string[]): number {
  return Number(execFileSync(process.execPath, [...args, '--input-type=module', '-e', program], { encoding: 'utf8' }))
}

it('reports of many machines leave little garbage in the memory of the server', () => {
  const limits = join(root, 'server/start/processLimits.ts')
  expect(largestHeap('--import', limits)).toBeLessThan(largestHeap() * 0.8)
})
