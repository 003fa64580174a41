import { describe, expect, it } from 'vitest'
import { createCachedMetric } from '../../../server/machines/hosts/local/metrics/cachedMetric.ts'
import { withTimeout } from '../../../server/machines/hosts/local/metrics/querySystemInformation.ts'

describe('a cached metric', () => {
  it('is not waited for longer than its time limit', async () => {
    expect(await withTimeout(new Promise<number>(() => {}), 20, 'late')).toBe('late')
    expect(await withTimeout(Promise.resolve(7), 20, 'late')).toBe(7)
    await expect(withTimeout(Promise.reject(new Error('no disk')), 20, 'late')).rejects.toThrow('no disk')
  })

  it('is refreshed when it is due, keeps its last value when that fails, and reports the error once', async () => {
    let clock = 0
    const errors: unknown[] = []
    const answers: (number | Error)[] = [1, new Error('first'), new Error('second'), 4, new Error('third')]
    const metric = createCachedMetric({
      initial: 0,
      everyMs: 1000,
      now: () => clock,
      onError: (error) => errors.push(String(error)),
      refresh: async () => {
        const answer = answers.shift()
        if (typeof answer !== 'number') throw answer
        return answer
      },
    })
    const valueAt = async (time: number) => {
      clock = time
      metric.latest()
      await metric.idle()
      return metric.latest()
    }
    expect(await metric.first()).toBe(1)
    expect(await valueAt(999)).toBe(1)
    expect(answers).toHaveLength(4)
    expect(await valueAt(1000)).toBe(1)
    expect(await valueAt(2000)).toBe(1)
    expect(errors).toEqual(['Error: first'])
    expect(await valueAt(3000)).toBe(4)
    expect(await valueAt(4000)).toBe(4)
    expect(errors).toEqual(['Error: first', 'Error: third'])
  })
})
