import type { AlertRulePart } from '../../../domain/alerts/compileAlert.ts'
import { backtestPoints, type PointsBacktest, type ServerHistory } from './backtestPoints.ts'

/**
 * Tests rules against points without blocking the page; where there are no workers, in the page.
 * @param signal ends the worker: the rules have changed meanwhile
 */
export function runInWorker(
  rules: readonly AlertRulePart[],
  servers: readonly ServerHistory[],
  signal: AbortSignal,
): Promise<PointsBacktest> {
  if (typeof Worker === 'undefined') return Promise.resolve(backtestPoints(rules, servers))
  const worker = new Worker(new URL('./backtest.worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<PointsBacktest>()
  worker.onmessage = ({ data }: MessageEvent<PointsBacktest>) => resolve(data)
  worker.onerror = ({ message }) => reject(new Error(message || 'app.toast.unexpected'))
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  worker.postMessage({ rules, servers })
  return promise.finally(() => worker.terminate())
}
