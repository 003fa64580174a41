import type { Store } from '../db/store.ts'
import { writeBehind } from '../db/writeBehind.ts'
import type { HostFacts, HostState } from './hosts/host.ts'
import type { ReportedCounters } from './judgeReports.ts'

/** What a machine reported last, as it outlives a restart of the server. */
export interface SavedReport {
  facts: HostFacts
  /** As replies have it: without zeros. */
  state: Partial<HostState>
  /** When it came, in milliseconds since 1970; 0 when that is not known. */
  seen_at: number
  reported: ReportedCounters | null
}

/** The last report of each machine, written a little at a time: thousands of machines report every few seconds. */
export interface SavedReports {
  /** By the ids of their rows. */
  readonly loaded: ReadonlyMap<number, SavedReport>
  /** The report of this machine has changed. */
  markChanged(id: number): void
  /** The same, and it is written within a second: what is shown of it could not be told from the next one. */
  markLeapt(id: number): void
  remove(ids: readonly number[]): void
  /** Writes everything that has changed. */
  flush(): void
}

interface ReportRow extends SavedReport {
  id: number
  server_id: number
}

/** A report is written at most once in so many rounds; a killed server loses no more than that. */
const rounds = 60
const roundMs = 1000
/** Reports that are written together, for some milliseconds at a time. */
const reportsPerWrite = 500

/**
 * @param current the present report of a machine
 * @param onFailure called when reports could not be written, once until writing succeeds again; they are written later
 */
export function openSavedReports(
  store: Store,
  current: (id: number) => SavedReport | undefined,
  onFailure: (error: unknown) => void,
): SavedReports {
  const table = store.table<ReportRow>({
    name: 'server_report',
    columns: [
      { name: 'server_id', type: 'INTEGER', unique: true },
      { name: 'facts', type: 'JSON' },
      { name: 'state', type: 'JSON' },
      { name: 'seen_at', type: 'INTEGER', initial: 0 },
      { name: 'reported', type: 'JSON' },
    ],
  })
  const loaded = new Map<number, SavedReport>()
  const rowIds = new Map<number, number>()
  for (const { id, server_id, ...report } of table.all()) {
    loaded.set(server_id, report)
    rowIds.set(server_id, id)
  }
  /** By the ids of servers: the same object until it changes. */
  const writtenFacts = new Map<number, HostFacts>()
  const changed = new Set<number>()
  /** Those of them that are written within a second. Each alone would wait for the disk, and an agent may send many. */
  const leapt = new Set<number>()
  const writer = writeBehind(writeLeapt, onFailure, { isLeft: () => leapt.size > 0 })
  let round = 0
  let timer: NodeJS.Timeout | undefined
  let isFailing = false

  function write(ids: readonly number[]): void {
    const written = store.transaction(() =>
      ids.flatMap((server_id) => {
        const report = current(server_id)
        const rowId = rowIds.get(server_id)
        if (!report) return []
        if (rowId === undefined) return [[server_id, table.insert({ server_id, ...report }), report.facts] as const]
        const { facts, ...others } = report
        // What rarely changes is not written again and again.
        table.update(rowId, facts === writtenFacts.get(server_id) ? others : report)
        return [[server_id, rowId, facts] as const]
      }),
    )
    for (const [server_id, rowId, facts] of written) {
      rowIds.set(server_id, rowId)
      writtenFacts.set(server_id, facts)
    }
    for (const id of ids) changed.delete(id)
  }

  function tryToWrite(ids: readonly number[]): void {
    if (ids.length === 0) return
    try {
      write(ids)
      isFailing = false
    } catch (error) {
      if (!isFailing) onFailure(error)
      isFailing = true
    }
  }

  function writeLeapt(): void {
    const part = [...leapt].slice(0, reportsPerWrite)
    for (const id of part) leapt.delete(id)
    tryToWrite(part)
  }

  /** The rows of a round are always the same ones, so that the work is spread evenly. */
  function writeRound(): void {
    round = (round + 1) % rounds
    tryToWrite([...changed].filter((id) => id % rounds === round))
    if (changed.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function markChanged(id: number): void {
    changed.add(id)
    timer ??= setInterval(writeRound, roundMs).unref()
  }

  return {
    loaded,
    markChanged,
    markLeapt(id) {
      markChanged(id)
      leapt.add(id)
      writer.schedule()
    },
    remove(ids) {
      table.remove(ids.flatMap((id) => rowIds.get(id) ?? []))
      for (const id of ids) {
        rowIds.delete(id)
        writtenFacts.delete(id)
        changed.delete(id)
        leapt.delete(id)
      }
    },
    flush() {
      leapt.clear()
      clearInterval(timer)
      timer = undefined
      tryToWrite([...changed])
    },
  }
}
