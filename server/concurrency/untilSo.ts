import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds between two looks. */
const lookMs = 10

/** Waits until it is so, for `ms` milliseconds at most. */
export async function untilSo(ms: number, isSo: () => boolean): Promise<void> {
  for (const until = performance.now() + ms; !isSo() && performance.now() < until; ) await delay(lookMs)
}
