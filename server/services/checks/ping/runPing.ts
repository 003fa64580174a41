import type { CheckRule } from '../../../../src/schemas/endpoints/checkEndpoints.ts'
import { CheckFailure, type Runner } from '../parts/runner.ts'

/** Sends pings, and judges how many came back, and how evenly. The latency is that of the pings on the average. */
export const runPing: Runner<'ping'> = async (check, target, { ping }) => {
  const { packets, size, max_loss, max_jitter } = check
  const times = await ping?.(target, { packets, size })
  if (!times) throw new CheckFailure('no_ping')
  const loss = ((packets - times.length) / packets) * 100
  const rules: CheckRule[] = [
    { rule: 'max_loss', ok: times.length > 0 && loss <= max_loss, expected: `${max_loss}`, found: rounded(loss) },
  ]
  if (times.length === 0) return { rules }
  const jitter = jitterOf(times)
  if (max_jitter > 0) {
    rules.push({ rule: 'max_jitter', ok: jitter <= max_jitter, expected: `${max_jitter}`, found: rounded(jitter) })
  }
  const latency = times.reduce((sum, time) => sum + time, 0) / times.length
  const answer = `${times.length}/${packets} ${times.map((time) => `${time} ms`).join(', ')}, ±${rounded(jitter)} ms`
  return { latency, answer, rules }
}

/** How much each time differs from the one before, on the average (RFC 3550, 6.4.1, without its smoothing). */
const jitterOf = (times: readonly number[]): number =>
  times.slice(1).reduce((sum, time, index) => sum + Math.abs(time - (times[index] ?? time)), 0) /
  Math.max(1, times.length - 1)

const rounded = (value: number): string => String(Math.round(value * 10) / 10)
