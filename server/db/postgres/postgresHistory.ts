import type { Log } from '../../log.ts'
import type { SeriesDefinition } from '../history/definition.ts'
import type { History } from '../history/openHistory.ts'
import { type PostgresPlace, quotedSchema } from './connection.ts'
import { createPostgresSeries } from './historySeries.ts'
import { readStored } from './historyTables.ts'
import { openHistoryWriter } from './historyWriter.ts'
import { openReader } from './reader.ts'

interface PostgresHistoryOptions {
  place: PostgresPlace
  nodeId: string
  /** In which this node leads. */
  term: number
  /** Days for which the longest buckets are kept. */
  days: number
  log: Pick<Log, 'warn'>
  /** Milliseconds between two writes: each adds to the same rows until their bucket is over. Default: ten seconds. */
  pauseMs?: number
}

interface PostgresHistory extends History {
  /** Reads what there is, and makes what is missing, which the first chart would have to wait for. Never throws. */
  makeReady(): Promise<void>
}

/** Milliseconds between two lines of the log about values that are lost. */
const warnAgainMs = 10 * 60_000

/**
 * The history in PostgreSQL, as the node that leads writes it. Values wait in memory while PostgreSQL cannot be reached, as
 * many as for a file on a full disk; the others are lost, and the log has a line.
 */
export function openPostgresHistory(options: PostgresHistoryOptions): PostgresHistory {
  const { place, nodeId, term, days, log, pauseMs = 10_000 } = options
  const schema = quotedSchema(place)
  const all: ReturnType<typeof createPostgresSeries>[] = []
  const reader = openReader(place, nodeId)
  const writer = openHistoryWriter({
    place,
    nodeId,
    term,
    async prepare(run) {
      const stored = await readStored(schema, run)
      for (const series of all) await series.prepare(run, stored)
    },
  })
  let warnedAt = Number.NEGATIVE_INFINITY

  function onFull(): void {
    if (performance.now() - warnedAt < warnAgainMs) return
    warnedAt = performance.now()
    log.warn('PostgreSQL has taken no history for too long: what machines and checks say is lost until it does.')
  }

  return {
    series(definition: SeriesDefinition) {
      const series = createPostgresSeries({ schema, definition, writer, reader, days, onFull, pauseMs })
      all.push(series)
      return series
    },
    days,
    waitForOthers() {},
    makeReady: () =>
      writer.ready().catch(() => {
        // Whoever needs it next tries again, and is told.
      }),
    close() {
      writer.close()
      reader.close()
    },
  }
}
