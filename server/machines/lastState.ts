import type { HostState } from './hosts/host.ts'
import type { JudgedState, NumberField } from './judgeReports.ts'

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
