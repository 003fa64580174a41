/** What a rule can watch (docs/contract/CONTRACT.md#7-alert-rules-types-and-meaning). */
export interface AlertRuleType {
  /** How `min` and `max` are counted; `none`: they do not count. */
  unit: 'percent' | 'bytes_per_second' | 'bytes' | 'number' | 'celsius' | 'none'
  /** Summed up over a cycle that the rule describes. */
  isCycle?: true
  /** The reading without which a real server cannot bear the rule. */
  needs?: 'gpu' | 'temperatures'
}

const percent: AlertRuleType = { unit: 'percent' }
const speed: AlertRuleType = { unit: 'bytes_per_second' }
const bytes: AlertRuleType = { unit: 'bytes' }
const cycle: AlertRuleType = { unit: 'bytes', isCycle: true }
const number: AlertRuleType = { unit: 'number' }

/** By the name that stands in a rule, in the order in which they are offered. */
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

/** Servers tell by the ending: a type they do not know counts as well. */
export const isCycleType = (type: unknown): boolean => String(type).endsWith('_cycle')

export const cycleUnits = ['hour', 'day', 'week', 'month', 'year'] as const

/** Seconds between two samples. */
export const sampleSeconds = 3

/** The least number of samples that a rule may ask for. */
export const leastSamples = 3
