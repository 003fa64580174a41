import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type History, openHistory } from '../../../server/db/history/openHistory.ts'
import type { Series } from '../../../server/db/history/series.ts'
import { openSamples } from '../../../server/services/history/samples.ts'
import { openServerMetrics } from '../../../server/services/history/serverMetrics.ts'
import { noState } from '../../../tests/support/server/testHost.ts'
import type { Report } from './budgets.ts'

const start = Date.UTC(2026, 0, 1)
const [step, hour, day] = [30_000, 3_600_000, 86_400_000]

/** What keeping metrics holds up, and what they take on the disk. */
export async function measureHistory(report: Report): Promise<void> {
  await inFile(async (history) => {
    const { add, checks, days } = openSamples(history)
    const delays = monitorEventLoopDelay({ resolution: 1 })
    for (let at = start; at < start + 2 * hour; at += step) {
      for (let id = 1; id <= 5000; id++) add(id, 1, at, { outcome: 'up', delay: (at + id) % 97 })
      delays.enable()
      await keep([checks, days], at)
      delays.disable()
    }
    report.add('writeStallMs', delays.percentile(99.9) / 1e6)
  })
  const services = 20
  report.add(
    'serviceKb',
    await fortyDays(services, (history) => {
      const { add, checks, days } = openSamples(history)
      const live = (at: number) => {
        for (let id = 1; id <= services; id++) add(id, 1, at, { outcome: 'up', delay: Math.random() * 100 })
      }
      return { live, series: [checks, days] }
    }),
  )
  const servers = 20
  report.add(
    'serverKb',
    await fortyDays(servers, (history) => {
      const { add, series } = openServerMetrics(history)
      const live = (at: number) => {
        for (let id = 1; id <= servers; id++) add(id, busy(at), at)
      }
      return { live, series: [series] }
    }),
  )
}

/** A machine whose every metric moves. */
function busy(at: number) {
  const metrics = Object.entries(noState).map(([name, value]) => [
    name,
    Array.isArray(value) ? value : Math.random() * at,
  ])
  return {
    ...Object.fromEntries(metrics),
    gpu: [Math.random()],
    temperatures: [{ Name: 'a', Temperature: Math.random() }],
  }
}

async function keep(series: readonly Series[], now: number): Promise<void> {
  for (const each of series) await each.flush()
  for (const each of series) await each.thin(now)
}

/** @returns kB that each takes on the disk */
async function fortyDays(
  count: number,
  open: (history: History) => { live: (at: number) => void; series: readonly Series[] },
): Promise<number> {
  return inFile(async (history, path) => {
    const { live, series } = open(history)
    for (let at = start; at < start + 40 * day; at += step) {
      live(at)
      if (at % hour === 0) await keep(series, at)
    }
    await keep(series, start + 40 * day)
    history.close()
    return statSync(path).size / 1000 / count
  })
}

async function inFile<T>(work: (history: History, path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-history-'))
  const path = join(folder, 'history.db')
  try {
    return await work(openHistory(path), path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
