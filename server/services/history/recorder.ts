import { server } from '../../../src/schemas/server.ts'
import { service } from '../../../src/schemas/service.ts'
import type { Store } from '../../db/store.ts'
import { entityTable } from '../../entities/entityTable.ts'
import type { Log } from '../../log.ts'
import type { ServerHistory } from './serverHistory.ts'
import type { Samples } from './serviceHistory.ts'

export interface RecorderServices {
  store: Store
  samples: Samples
  metrics: ServerHistory
  /** Writes the status of the services. */
  saveStatuses(): void
  log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  now?: () => number
  /** The time by which buckets are too old. Default: `now`. */
  retentionNow?: () => number
}

/** Writes check results and metrics to the disk, sums them up with age, and deletes those of deleted services and servers. */
export interface Recorder {
  start(): void
  /** Writes everything that is still in memory. */
  stop(): Promise<void>
  /** Writes what is in memory, and deletes the data of deleted services and servers. */
  save(): Promise<void>
  /** Sums up completed buckets, and deletes those that are too old. */
  thin(): Promise<void>
}

/** A killed process loses at most the last five seconds. */
const savePauseMs = 3000
const thinPauseMs = 10_000

export function createRecorder(options: RecorderServices): Recorder {
  const { store, samples, metrics, saveStatuses, log, now = Date.now, retentionNow = now } = options
  const allSeries = [samples.checks, samples.days, samples.downtime, metrics.series]
  const services = trackRowIds(() => entityTable(store, service).all())
  const servers = trackRowIds(() => entityTable(store, server).all())
  /** Which key of which series is the id of a service or server. */
  const seriesKeys = [
    { series: samples.checks, key: 'one', rowIds: services },
    { series: samples.days, key: 'one', rowIds: services },
    { series: samples.downtime, key: 'one', rowIds: services },
    { series: samples.checks, key: 'other', rowIds: servers },
    { series: metrics.series, key: 'one', rowIds: servers },
  ] as const
  let hasRemovedUnknown = false

  function removeDeleted(): void {
    const deletedIds = new Map([services, servers].map((rowIds) => [rowIds, rowIds.takeDeleted()]))
    for (const { series, key, rowIds } of seriesKeys) series.forget(key, deletedIds.get(rowIds) ?? [])
  }

  /** After a crash, or with a restored database, there may be data of services and servers that do not exist. */
  async function removeUnknown(): Promise<void> {
    for (const { series, key, rowIds } of seriesKeys) {
      const storedIds = [...(await series.ids(key))]
      // A service or server may have been created meanwhile.
      removeDeleted()
      series.forget(
        key,
        storedIds.filter((id) => !rowIds.has(id)),
      )
    }
  }

  async function save(): Promise<void> {
    removeDeleted()
    saveStatuses()
    for (const series of allSeries) await series.flush()
  }

  async function thin(): Promise<void> {
    if (!hasRemovedUnknown) await removeUnknown()
    hasRemovedUnknown = true
    for (const series of allSeries) await series.thin(now(), retentionNow())
  }

  /** Logs only the first of several failures in a row, as while the disk is full. */
  const logFirstFailure = (work: () => Promise<void>) => {
    let isFailing = false
    return async () => {
      try {
        await work()
        isFailing = false
      } catch (error) {
        if (!isFailing) log.error('Check results and metrics could not be saved:', error)
        isFailing = true
      }
    }
  }

  const loops = [createLoop(logFirstFailure(save), savePauseMs), createLoop(logFirstFailure(thin), thinPauseMs)]

  return {
    save,
    thin,
    start() {
      for (const loop of loops) loop.start()
    },
    async stop() {
      const loopsStopped = loops.map((loop) => loop.stop())
      // Before waiting for the loops: thinning may take long, and may be interrupted at any time.
      removeDeleted()
      try {
        for (const series of allSeries) await series.flushNow()
      } catch (error) {
        log.error('The last check results and metrics could not be saved:', error)
      }
      await Promise.all(loopsStopped)
    },
  }
}

/** The ids of the rows in a table, and which of them were deleted. */
interface RowIds {
  has(id: number): boolean
  /** The ids that were deleted since the last call. */
  takeDeleted(): number[]
}

/** @param rows returns the same list while nothing has changed */
function trackRowIds(rows: () => readonly { id: number }[]): RowIds {
  let lastRows = rows()
  let ids = new Set(lastRows.map(({ id }) => id))
  return {
    has: (id) => ids.has(id),
    takeDeleted() {
      const previousIds = ids
      if (lastRows === rows()) return []
      lastRows = rows()
      ids = new Set(lastRows.map(({ id }) => id))
      return [...previousIds].filter((id) => !ids.has(id))
    },
  }
}

/** Repeats `work` with a pause after each run. */
function createLoop(work: () => Promise<void>, pauseMs: number) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isStopped = false
  function next(): void {
    if (isStopped) return
    timer = setTimeout(() => {
      running = work().finally(next)
    }, pauseMs)
  }
  return {
    start: next,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
