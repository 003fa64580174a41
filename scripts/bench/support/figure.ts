import { expect } from 'vitest'

interface Limits {
  /** What it may be at most; without this and `min` the figure is only reported. */
  max?: number
  /** What it has to be at least. */
  min?: number
  /** Why the limit is where it is. */
  why?: string
}

/** How often something is done that takes long: tinybench would else go on until its time is over. */
export const rounds = (iterations: number, warmupIterations = 0) => ({
  iterations,
  time: 0,
  warmup: warmupIterations > 0,
  warmupIterations,
  warmupTime: 0,
})

/** Prints a figure. One outside of its limits fails the bench at its end, when the others are printed too. */
export function figure(
  name: string,
  value: number,
  unit: string,
  { max = Number.POSITIVE_INFINITY, min = Number.NEGATIVE_INFINITY, why }: Limits = {},
): void {
  const bounds = [Number.isFinite(max) ? `at most ${max}` : [], Number.isFinite(min) ? `at least ${min}` : []].flat()
  const rounded = Math.abs(value) < 10 ? value.toFixed(2) : value.toFixed()
  const text = `${name}: ${rounded} ${unit}`.trimEnd() + (bounds.length > 0 ? ` (${bounds.join(', ')}: ${why})` : '')
  console.log(text)
  expect.soft(value, text).toBeLessThanOrEqual(max)
  expect.soft(value, text).toBeGreaterThanOrEqual(min)
}
