import { expect, it } from 'vitest'
import { timelineOf } from '../../../src/domain/trouble/timeline.ts'
import type { PastTrouble } from '../../../src/schemas/endpoints/recentTrouble.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const hoursAgo = (count: number) => new Date(now - count * 3_600_000).toISOString()
const alarm = (id: number, from: number, to?: number, more: Partial<PastTrouble> = {}): PastTrouble => ({
  kind: 'alarm',
  id,
  name: 'web',
  server_id: 1,
  started_at: hoursAgo(from),
  ...(to !== undefined && { ended_at: hoursAgo(to) }),
  ...more,
})

it('The last 24 hours have in each part what lasted in it, and count what began and ended', () => {
  const before = alarm(1, 30, 22.5)
  const short = alarm(2, 2.2, 2.1, { offline: true })
  const lasting = alarm(3, 0.5)
  const { parts, began, over } = timelineOf([lasting, short, before], now, 24)
  expect([began, over]).toEqual([2, 2])
  expect(parts).toHaveLength(24)
  expect(parts.flatMap(({ troubles }, at) => troubles.map(({ id }) => [at, id]))).toEqual([
    [0, 1],
    [1, 1],
    [21, 2],
    [23, 3],
  ])
  expect(parts.filter(({ isCritical }) => isCritical)).toEqual([parts[21]])
  expect(parts[0]?.from).toBe(now - 24 * 3_600_000)
  expect(parts.at(-1)?.to).toBe(now)
})

it('A clock that is ahead or behind puts nothing beside the last 24 hours', () => {
  const future = new Date(now + 60_000).toISOString()
  const { parts } = timelineOf([{ ...alarm(1, 1), started_at: future }], now, 24)
  expect(parts.at(-1)?.troubles).toHaveLength(1)
})
