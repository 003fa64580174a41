import type { Store } from '../db/store.ts'
import { writeBehind } from '../db/writeBehind.ts'
import type { HostFacts, HostState } from './hosts/host.ts'
import type { JudgedState, NumberField, ReportedCounters } from './judgeReports.ts'

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

type Sensors = Pick<HostState, 'temperatures' | 'gpu'>

/** The metrics that are one number each, in the order of replies; the sensors come between the two lists. */
const before = [
  'cpu',
  'mem_used',
  'swap_used',
  'disk_used',
  'net_in_speed',
  'net_out_speed',
  'load_1',
  'load_5',
  'load_15',
  'tcp_conn_count',
  'udp_conn_count',
  'process_count',
] as const satisfies readonly NumberField[]
const behind = ['uptime', 'net_in_transfer', 'net_out_transfer'] as const satisfies readonly NumberField[]
export const metricNames: readonly NumberField[] = [...before, ...behind]
const placeOf = new Map(metricNames.map((name, place) => [name, place]))

/**
 * What a machine measured last. Changed in place, numbers side by side in one block: thousands of objects that live until
 * the next report would outlive the young garbage. It becomes JSON when somebody reads it, as most reports are followed by the
 * next one before that.
 */
export class LastState {
  /** In the order of `metricNames`; what is missing is no number. */
  readonly #numbers = new Float64Array(metricNames.length)
  /** The members of the sensors as JSON, each with a comma behind it; mostly there are none. */
  #sensors = ''
  #isEmpty = true
  #json: string | undefined

  constructor(state: Partial<HostState> = {}) {
    for (const [place, name] of metricNames.entries()) this.#numbers[place] = state[name] ?? 0
    this.#setOthers(state)
  }

  set(state: JudgedState): void {
    for (let place = 0; place < metricNames.length; place++) {
      this.#numbers[place] = state[metricNames[place] as NumberField] ?? Number.NaN
    }
    this.#setOthers(state)
  }

  /** A metric as it was reported; `undefined` where it was not, or could not be true. */
  metric(name: NumberField): number | undefined {
    const value = this.#numbers[placeOf.get(name) ?? -1]
    return this.#isEmpty || value === undefined || Number.isNaN(value) ? undefined : value
  }

  /** As replies have it: without zeros, empty lists, and what is missing. */
  json(): string {
    if (this.#json === undefined) {
      const members = this.#members(0, before.length) + this.#sensors + this.#members(before.length, metricNames.length)
      this.#json = `{${members.slice(0, -1)}}`
    }
    return this.#json
  }

  /** The same as an object: without a way through its text. */
  values(): Partial<HostState> {
    const state: Partial<HostState> = {}
    this.#addNumbers(state, 0, before.length)
    if (this.#sensors !== '') Object.assign(state, JSON.parse(`{${this.#sensors.slice(0, -1)}}`))
    this.#addNumbers(state, before.length, metricNames.length)
    return state
  }

  #addNumbers(to: Partial<HostState>, from: number, end: number): void {
    for (let place = from; place < end; place++) {
      const value = this.#numbers[place]
      if (value) to[metricNames[place] as NumberField] = value
    }
  }

  #setOthers({ temperatures = [], gpu = [] }: Partial<Sensors>): void {
    this.#sensors = `${member('temperatures', temperatures)}${member('gpu', gpu)}`
    this.#isEmpty = this.#sensors === '' && this.#numbers.every((value) => !value)
    this.#json = undefined
  }

  #members(from: number, to: number): string {
    let members = ''
    for (let place = from; place < to; place++) {
      const value = this.#numbers[place]
      if (value) members += `"${metricNames[place]}":${value},`
    }
    return members
  }
}

const member = (name: keyof Sensors, values: readonly unknown[]) =>
  values.length > 0 ? `"${name}":${JSON.stringify(values)},` : ''
