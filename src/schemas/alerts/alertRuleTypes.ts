/** A metric that a rule can watch (docs/contract/CONTRACT.md#7-alert-rules-types-and-meaning). */
export interface AlertRuleType {
  /** Unit of `min` and `max`; `none`: they have no effect. */
  unit: 'percent' | 'bytes_per_second' | 'bytes' | 'number' | 'celsius' | 'none'
  /** A total over the period given by the `cycle_` keys of the rule. */
  isCycle?: true
  /** The list in `state` that must not be missing: real servers fail on the rule without it. */
  needs?: 'gpu' | 'temperatures'
}

const percent: AlertRuleType = { unit: 'percent' }
const speed: AlertRuleType = { unit: 'bytes_per_second' }
const bytes: AlertRuleType = { unit: 'bytes' }
const cycle: AlertRuleType = { unit: 'bytes', isCycle: true }
const number: AlertRuleType = { unit: 'number' }

/** By the value of `type` in a rule, in the order of the form. */
export const alertRuleTypes: Readonly<Record<string, AlertRuleType>> = {
  offline: { unit: 'none' },
  cpu: percent,
  memory: percent,
  swap: percent,
  disk: percent,
  gpu_max: { unit: 'percent', needs: 'gpu' },
  temperature_max: { unit: 'celsius', needs: 'temperatures' },
  load1: number,
  load5: number,
  load15: number,
  net_in_speed: speed,
  net_out_speed: speed,
  net_all_speed: speed,
  transfer_in: bytes,
  transfer_out: bytes,
  transfer_all: bytes,
  transfer_in_cycle: cycle,
  transfer_out_cycle: cycle,
  transfer_all_cycle: cycle,
  tcp_conn_count: number,
  udp_conn_count: number,
  process_count: number,
}

/** As servers decide: by the ending, even for unknown types. */
export const isCycleType = (type: unknown): boolean => String(type).endsWith('_cycle')

export const cycleUnits = ['hour', 'day', 'week', 'month', 'year'] as const

/** Seconds between two samples. */
export const sampleSeconds = 3

/** Minimum `duration` of a rule, in samples. */
export const minSamples = 3

/** Seconds of `recovery_duration`, at most: a day, as rules look back no further either. */
export const maxRecoverySeconds = 86_400

/** The fields of a rule that only the embedded server knows. Rules keep what other servers do not know. */
export const recoveryFields = ['recovery_min', 'recovery_max', 'recovery_duration'] as const
