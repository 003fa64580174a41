import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import { cachedRows } from '../db/cachedRows.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import type { Samples } from './history/samples.ts'
import type { Metrics } from './history/serverMetrics.ts'
import { createLoop } from './loop.ts'
import { createPresence } from './onlineTime.ts'

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

export function createKeeper(options: KeeperServices): Keeper {
  const { store, samples, metrics, saveVerdicts, log, now = Date.now } = options
  const all = [samples.checks, samples.days, metrics.series]
  const services = createPresence(() => cachedRows(entityTable(store, service)))
  const servers = createPresence(() => cachedRows(entityTable(store, server)))
  /** Which ids of which series are whose. */
  const owned = [
    { series: samples.checks, side: 'one', presence: services },
    { series: samples.days, side: 'one', presence: services },
    { series: samples.checks, side: 'other', presence: servers },
    { series: metrics.series, side: 'one', presence: servers },
  ] as const
  let hasLooked = false

  function forget(): void {
    const gone = new Map([services, servers].map((presence) => [presence, presence.gone()]))
    for (const { series, side, presence } of owned) series.forget(side, gone.get(presence) ?? [])
  }

  /** After a crash, or with another database than before, there may be figures of what is not there. */
  async function forgetStrangers(): Promise<void> {
    for (const { series, side, presence } of owned) {
      const found = [...(await series.ids(side))]
      // Somebody may have come meanwhile.
      forget()
      series.forget(
        side,
        found.filter((id) => !presence.has(id)),
      )
    }
  }

  async function save(): Promise<void> {
    forget()
    saveVerdicts()
    for (const series of all) await series.flush()
  }

  async function thin(): Promise<void> {
    if (!hasLooked) await forgetStrangers()
    hasLooked = true
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
      const ends = loops.map((loop) => loop.stop())
      // First of all: thinning may take its time, and can be broken off anywhere.
      forget()
      try {
        for (const series of all) series.flushNow()
      } catch (error) {
        log.error('The last figures of services and servers cannot be kept:', error)
      }
      await Promise.all(ends)
    },
  }
}
