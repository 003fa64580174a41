import { setTimeout as pause } from 'node:timers/promises'
import type { ProbeResult } from '../../machines/hosts/probe.ts'

/**
 * Repeats a check that has failed.
 * @param work checks once
 * @returns the first result that is no failure, else the last one
 * @throws what `work` throws, or the reason of `signal`
 */
export async function retried(
  work: () => Promise<ProbeResult | undefined>,
  { retries, pauseMs, signal }: { retries: number; pauseMs: number; signal: AbortSignal },
): Promise<ProbeResult | undefined> {
  let result = await work()
  for (let left = retries; left > 0 && result?.outcome === 'down'; left--) {
    await pause(pauseMs, undefined, { signal })
    result = await work()
  }
  return result
}
