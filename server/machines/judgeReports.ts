import { keysOf } from '../../src/schemas/define/values.ts'
import type { LeftOut } from '../../src/schemas/machines/live.ts'
import { timestamp } from '../wire/apiCall.ts'
import type { HostDetails, HostState } from './hosts/host.ts'

/** What a report says, as far as it can be true; a value that is left out and not known from before is missing. */
export type JudgedState = Partial<HostState>

/** Judges the reports of one machine, one after the other. */
export interface ReportJudge {
  /** @param at when it came, in milliseconds since 1970 */
  judge(state: HostState, host: SizesOfHost, at: number): JudgedState
  /** How many values were left out since the start of this server. */
  leftOut(): LeftOut
  reported(): ReportedCounters
}

type SizesOfHost = Partial<Pick<HostDetails, 'mem_total' | 'swap_total' | 'disk_total'>>
export type NumberField = Exclude<keyof HostState, 'temperatures' | 'gpu'>
type Direction = 'net_in_transfer' | 'net_out_transfer'
type SpeedField = 'net_in_speed' | 'net_out_speed'

/** Bytes per second of a port with 400 Gbit/s, the fastest that servers have. */
const maxLineRate = 50e9
/** Bytes per second of a line with 10 Gbit/s: what any line may carry of which no report has said that it is faster. */
const commonLineRate = 1.25e9
/** How much faster than two reports in a row have said a line may be for a moment. */
const burst = 2
/** Seconds by which the clocks of a machine and of this server may differ between two reports. */
const clockSlack = 60
/** Seconds: ten years without a boot. */
const maxUptime = 10 * 365 * 86_400
/** Seconds that a machine has run at the most as long as it reports no uptime. */
const assumedUptime = 365 * 86_400
/** Degrees Celsius: silicon is destroyed above, and no sensor that is built into a machine measures below. */
const sensorRange = { min: -50, max: 150 }
/** Percent; rounding goes a little above 100. */
const maxPercent = 101
/** More sockets, processes, or load than any kernel has. */
const maxCount = 1e9
/** Milliseconds for which the last good value stands in for one that is left out; after that there is none. */
const stopgapMs = 60_000
/** Interfaces that have vanished and may return, for each direction. */
const maxVanished = 16

/** Rounding of sizes goes a little above the total, and an unknown total, which is 0, bounds nothing. */
const upTo = (total = 0) => (total > 0 ? total * (maxPercent / 100) : Number.MAX_SAFE_INTEGER)

/** The highest value that each metric can have. */
const highest: Readonly<Record<Exclude<NumberField, Direction>, (host: SizesOfHost) => number>> = {
  cpu: () => maxPercent,
  mem_used: ({ mem_total }) => upTo(mem_total),
  swap_used: ({ swap_total }) => upTo(swap_total),
  disk_used: ({ disk_total }) => upTo(disk_total),
  net_in_speed: () => maxLineRate,
  net_out_speed: () => maxLineRate,
  uptime: () => maxUptime,
  load_1: () => maxCount,
  load_5: () => maxCount,
  load_15: () => maxCount,
  tcp_conn_count: () => maxCount,
  udp_conn_count: () => maxCount,
  process_count: () => maxCount,
}

/** All metrics, in the order in which they are judged: an object that gets them one by one would be copied often. */
const noState: JudgedState = {
  cpu: undefined,
  mem_used: undefined,
  swap_used: undefined,
  disk_used: undefined,
  net_in_speed: undefined,
  net_out_speed: undefined,
  load_1: undefined,
  load_5: undefined,
  load_15: undefined,
  tcp_conn_count: undefined,
  udp_conn_count: undefined,
  process_count: undefined,
  temperatures: undefined,
  gpu: undefined,
  uptime: undefined,
  net_in_transfer: undefined,
  net_out_transfer: undefined,
}
/** Names of which is remembered what they said last: some times those of a report. */
const maxRemembered = 512
const gauges = keysOf(highest).filter((name) => name !== 'uptime')
const counterNames: readonly Direction[] = ['net_in_transfer', 'net_out_transfer']
const speedNames: Readonly<Record<Direction, SpeedField>> = {
  net_in_transfer: 'net_in_speed',
  net_out_transfer: 'net_out_speed',
}

/** What the machine's own figures say of the speed of its line, in bytes per second. */
interface Line {
  /** In the last report. */
  speed: number
  /** The highest that two reports in a row have said: one alone may come of the leap of a counter. */
  sustained: number
}

/** A counter as the machine reported it last, and as it is shown: it never falls and never leaps between two boots. */
interface Counter {
  reported: number
  shown: number
  /** What it fell by each time, as an interface takes its bytes along: that much may come back at once. */
  vanished: number[]
  /** Whether it has leapt, and has not fallen since. */
  hasLeapt: boolean
}

/** The counters of a machine as it reported them last, which may differ from what is shown. */
export interface ReportedCounters {
  received?: number
  sent?: number
  /** Seconds since boot, 0 when it was never reported. */
  uptime: number
}

/** The last report of a machine, from before the start of this server. */
export interface KnownState {
  state: JudgedState
  /** `null` when that is not known: then the same as in `state`. */
  reported: ReportedCounters | null
  /** Milliseconds since 1970. */
  at: number
}

/**
 * Decides what of a machine's reports can be true, for everything that uses them: live stream, alert rules, traffic,
 * charts and metrics.
 */
export const createReportJudge = (known?: KnownState): ReportJudge => new Judge(known)

/** A class, because each machine has one. */
class Judge implements ReportJudge {
  readonly #count: LeftOut = { values: 0, jumps: 0 }
  /** Changed in place: thousands of objects that live until the next report would outlive the young garbage. */
  #lastGood: Map<string, unknown> | undefined
  /** The same of `gauges`, in their order, side by side in one block; no number before there was one. */
  readonly #lastGauges = new Float64Array(gauges.length).fill(Number.NaN)
  #badSince: Map<string, number> | undefined
  readonly #counters: Partial<Record<Direction, Counter>> = {}
  readonly #lines: Record<Direction, Line>
  /** Whether the machine says at all how fast its lines are. */
  #hasSpeeds = false
  /** Seconds since boot, as it was reported last; 0 before. */
  #uptime: number
  #shownUptime: number
  #lastAt: number
  /** Seconds between the last two reports, by the clock of this server. */
  #elapsed = 0

  constructor(known: KnownState | undefined) {
    this.#lines = {
      net_in_transfer: { speed: known?.state.net_in_speed ?? 0, sustained: 0 },
      net_out_transfer: { speed: known?.state.net_out_speed ?? 0, sustained: 0 },
    }
    this.#uptime = known?.reported?.uptime ?? known?.state.uptime ?? 0
    this.#shownUptime = known?.state.uptime ?? 0
    this.#lastAt = known?.at ?? 0
    if (!known) return
    const { net_in_transfer = 0, net_out_transfer = 0 } = known.state
    const { received = net_in_transfer, sent = net_out_transfer } = known.reported ?? {}
    this.#counters.net_in_transfer = newCounter(received, net_in_transfer)
    this.#counters.net_out_transfer = newCounter(sent, net_out_transfer)
  }

  /** Counts a value that cannot be. @returns whether the last good one stands in for it */
  #standsIn(name: string, at: number): boolean {
    this.#count.values++
    this.#badSince ??= new Map()
    const since = this.#badSince.get(name) ?? at
    this.#badSince.set(name, since)
    return Math.abs(at - since) < stopgapMs
  }

  /** The value, or for a moment the last good one. */
  #orLast<Value>(name: string, value: Value, isGood: boolean, at: number): Value | undefined {
    if (isGood) {
      this.#lastGood ??= new Map()
      this.#lastGood.set(name, value)
      this.#badSince?.delete(name)
      return value
    }
    return this.#standsIn(name, at) ? (this.#lastGood?.get(name) as Value | undefined) : undefined
  }

  /** The same of `gauges[place]`. */
  #gaugeOrLast(place: number, value: number, max: number, at: number): number | undefined {
    const name = gauges[place] as NumberField
    if (isNumberUpTo(value, max)) {
      this.#lastGauges[place] = value
      this.#badSince?.delete(name)
      return value
    }
    const last = this.#lastGauges[place]
    return this.#standsIn(name, at) && last !== undefined && !Number.isNaN(last) ? last : undefined
  }

  #judgeTemperatures(sensors: HostState['temperatures'], at: number): HostState['temperatures'] {
    if (sensors.length === 0) return sensors
    // Of an agent that gives its sensors other names with each report.
    for (const names of [this.#lastGood, this.#badSince]) if (names && names.size > maxRemembered) names.clear()
    return sensors.flatMap(({ Name, Temperature }) => {
      const isGood = Temperature >= sensorRange.min && Temperature <= sensorRange.max
      const degrees = this.#orLast(`sensor ${Name}`, Temperature, isGood, at)
      return degrees === undefined ? [] : [{ Name, Temperature: degrees }]
    })
  }

  #measureLine(name: Direction, speed: number): void {
    const line = this.#lines[name]
    const believed = isNumberUpTo(speed, maxLineRate) ? speed : 0
    line.sustained = Math.max(line.sustained, Math.min(line.speed, believed))
    line.speed = believed
    this.#hasSpeeds ||= believed > 0
  }

  /** Bytes per second that a line can carry as far as the machine has said. */
  #knownLineRate(name: Direction): number {
    return Math.min(maxLineRate, Math.max(commonLineRate, burst * this.#lines[name].sustained))
  }

  /** Bytes per second that a line can carry. */
  #lineRate(name: Direction): number {
    return this.#hasSpeeds ? this.#knownLineRate(name) : maxLineRate
  }

  /**
   * Seconds in which the counters may have grown; `undefined` when the machine has booted meanwhile, and 0 when it was
   * set back to an older state, or another one has taken its place: what it counts is not the growth of what was there.
   */
  #secondsSinceLast(reported: number): number | undefined {
    // Before a machine has said how long it runs, a boot shows in its counters only.
    if (this.#uptime === 0) return Math.min(this.#elapsed + 1, (reported || assumedUptime) + clockSlack)
    const passed = this.#elapsed + clockSlack
    if (reported < this.#uptime && reported <= passed) return undefined
    if (this.#uptime - reported > clockSlack || reported - this.#uptime > passed) return 0
    return Math.max(0, reported - this.#uptime) + 1
  }

  #leaveOutJump(at: number): void {
    this.#count.jumps++
    this.#count.jumped_at = timestamp(at)
  }

  /** The first value of a counter, or the first since a boot: then it has grown from 0 in the time since that. */
  #beginCounter(name: Direction, reported: number, at: number): number | undefined {
    const uptimeSeconds = (this.#uptime || assumedUptime) + clockSlack
    // A machine that says that it boots with each report has no more time for that than has passed.
    const sinceBoot = Math.min(uptimeSeconds, this.#elapsed + 1)
    if (this.#counters[name] && !isNumberUpTo(reported, this.#lineRate(name) * sinceBoot)) {
      this.#counters[name] = newCounter(reported, 0)
      this.#leaveOutJump(at)
    } else if (isNumberUpTo(reported, maxLineRate * uptimeSeconds))
      this.#counters[name] = newCounter(reported, reported)
    else this.#count.values++
    return this.#counters[name]?.shown
  }

  #judgeCounter(name: Direction, reported: number, seconds: number | undefined, at: number) {
    const counter = this.#counters[name]
    if (!counter || seconds === undefined) return this.#beginCounter(name, reported, at)
    if (!isNumberUpTo(reported, Number.MAX_VALUE)) {
      this.#count.values++
      return counter.shown
    }
    const growth = reported - counter.reported
    counter.reported = reported
    if (growth < 0) {
      // Where no uptime is known, it may have begun anew with a boot, unless it has only come back from a leap.
      if (this.#uptime === 0 && !counter.hasLeapt && reported <= this.#knownLineRate(name) * seconds)
        counter.shown += reported
      counter.vanished = [...counter.vanished, -growth].sort(descending).slice(0, maxVanished)
      counter.hasLeapt = false
      this.#leaveOutJump(at)
      return counter.shown
    }
    const real = growth - takeReturned(counter, growth)
    if (real <= this.#lineRate(name) * seconds) counter.shown += real
    else {
      counter.hasLeapt = true
      this.#leaveOutJump(at)
    }
    return counter.shown
  }

  leftOut(): LeftOut {
    return this.#count
  }

  reported(): ReportedCounters {
    return {
      received: this.#counters.net_in_transfer?.reported,
      sent: this.#counters.net_out_transfer?.reported,
      uptime: this.#uptime,
    }
  }

  judge(state: HostState, host: SizesOfHost, at: number): JudgedState {
    const judged: JudgedState = { ...noState }
    for (let place = 0; place < gauges.length; place++) {
      const name = gauges[place] as (typeof gauges)[number]
      judged[name] = this.#gaugeOrLast(place, state[name], highest[name](host), at)
    }
    judged.temperatures = this.#judgeTemperatures(state.temperatures, at)
    // The place of a number tells which processor it is, so one that cannot be takes all with it.
    const areGood = state.gpu.every((percent) => isNumberUpTo(percent, maxPercent))
    // Of a machine without any, as most are, nothing has to be remembered.
    const isKnown = state.gpu.length > 0 || this.#lastGood || this.#badSince
    judged.gpu = isKnown ? (this.#orLast('gpu', state.gpu, areGood, at) ?? []) : state.gpu

    const isUptimeGood = isNumberUpTo(state.uptime, highest.uptime(host))
    if (!isUptimeGood) this.#count.values++
    // A report without an uptime belongs to the boot of the one before.
    const reportedUptime = isUptimeGood && state.uptime > 0 ? state.uptime : this.#uptime
    this.#elapsed = Math.max(0, at - this.#lastAt) / 1000
    const seconds = this.#secondsSinceLast(reportedUptime)
    // It never falls without a boot, because that is how a boot is recognised.
    this.#shownUptime = seconds === undefined ? reportedUptime : Math.max(this.#shownUptime, reportedUptime)
    judged.uptime = this.#shownUptime
    this.#uptime = reportedUptime
    this.#lastAt = at
    for (const name of counterNames) {
      this.#measureLine(name, state[speedNames[name]])
      judged[name] = this.#judgeCounter(name, state[name], seconds, at)
    }
    return judged
  }
}

/** What is shown may be less than what was reported, or more: that much has leapt or vanished, and may go back. */
const newCounter = (reported: number, shown: number): Counter => ({
  reported,
  shown,
  vanished: shown > reported ? [shown - reported] : [],
  hasLeapt: shown < reported,
})

const descending = (one: number, other: number) => other - one

const isNumberUpTo = (value: number, max: number) => Number.isFinite(value) && value >= 0 && value <= max

/** How much of a growth are the bytes of interfaces that have come back. Changes `counter`. */
function takeReturned(counter: Counter, growth: number): number {
  if (counter.vanished.length === 0) return 0
  let returned = 0
  counter.vanished = counter.vanished.filter((bytes) => {
    if (returned + bytes > growth) return true
    returned += bytes
    return false
  })
  return returned
}
