import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readUnwatched, unwatchedBytesPerSecond } from '../../../server/sessions/outputFlow.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const half = new Uint8Array(unwatchedBytesPerSecond / 2)

function shell() {
  const calls: string[] = []
  return { calls, pause: () => void calls.push('pause'), resume: () => void calls.push('resume') }
}

it('A shell that no browser shows is read at a pace, however fast it prints', () => {
  const { calls, ...flow } = shell()
  const output = readUnwatched(flow)
  output.add(half)
  output.add(half)
  expect(calls).toEqual([])
  output.add(half)
  expect(calls).toEqual(['pause'])
  vi.advanceTimersByTime(1000)
  expect(calls).toEqual(['pause', 'resume'])
  output.add(half)
  vi.advanceTimersByTime(1000)
  expect(calls).toEqual(['pause', 'resume'])
})

it('A browser that shows it again takes over its pace', () => {
  const { calls, ...flow } = shell()
  const output = readUnwatched(flow)
  for (let part = 0; part < 3; part += 1) output.add(half)
  output.stop()
  vi.advanceTimersByTime(5000)
  expect(calls).toEqual(['pause'])
})
