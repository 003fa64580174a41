import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import { cachedRows } from '../db/cachedRows.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../db/table.ts'
import type { Log } from '../log.ts'
import type { Metrics } from './metrics.ts'
import type { Samples } from './samples.ts'

export interface KeeperServices {
  store: Store
  samples: Samples
  metrics: Metrics
  /** Writes what is known of services. */
  saveVerdicts(): void
  log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  now?: () => number
}

/** Writes figures to the disk, thins them, and lets those go whose service or server is gone. */
export interface Keeper {
  start(): void
  /** Waits for what is under way, and writes what waits. */
  stop(): Promise<void>
  /** Writes what waits, and forgets whose service or server is gone. */
  save(): Promise<void>
  /** Sums up what is over, and drops what is too old. */
  thin(): Promise<void>
}

/** What a killed server loses is younger than five seconds. */
const savePauseMs = 3000
const thinPauseMs = 10_000

export function createKeeper(services: KeeperServices): Keeper {
  const { store, samples, metrics, saveVerdicts, log, now = Date.now } = services
  const all = [samples.checks, samples.days, metrics.series]
  const goneServices = createGone(() => cachedRows(entityTable(store, service)))
  const goneServers = createGone(() => cachedRows(entityTable(store, server)))

  function forget(): void {
    const services = goneServices()
    samples.checks.forget('one', services)
    samples.days.forget('one', services)
    const servers = goneServers()
    samples.checks.forget('other', servers)
    metrics.series.forget('one', servers)
  }

  async function save(): Promise<void> {
    forget()
    saveVerdicts()
    for (const series of all) await series.flush()
  }

  async function thin(): Promise<void> {
    for (const series of all) await series.thin(now())
  }

  /** A full disk stays full for a while: it is told once. */
  const guarded = (work: () => Promise<void>) => {
    let wasTold = false
    return async () => {
      try {
        await work()
        wasTold = false
      } catch (error) {
        if (!wasTold) log.error('Figures of services and servers cannot be kept:', error)
        wasTold = true
      }
    }
  }

  const loops = [createLoop(guarded(save), savePauseMs), createLoop(guarded(thin), thinPauseMs)]

  return {
    save,
    thin,
    start() {
      for (const loop of loops) loop.start()
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
      forget()
      try {
        for (const series of all) series.flushNow()
      } catch (error) {
        log.error('The last figures of services and servers cannot be kept:', error)
      }
    },
  }
}

/** Does something again and again, with a pause in between. */
function createLoop(work: () => Promise<void>, pauseMs: number) {
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | undefined
  let isEnding = false
  function next(): void {
    if (isEnding) return
    timer = setTimeout(() => {
      underWay = work().finally(next)
    }, pauseMs)
  }
  return {
    start: next,
    async stop() {
      isEnding = true
      clearTimeout(timer)
      await underWay
    },
  }
}

/** Finds the rows that are no longer there. */
function createGone(rows: () => readonly { id: number }[]): () => number[] {
  let seen = rows()
  return () => {
    const before = seen
    seen = rows()
    if (seen === before) return []
    const there = new Set(seen.map(({ id }) => id))
    return before.filter(({ id }) => !there.has(id)).map(({ id }) => id)
  }
}
