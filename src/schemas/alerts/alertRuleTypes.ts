/** A metric that a rule can watch (docs/contract/CONTRACT.md#7-alert-rules-types-and-meaning). */
export interface AlertRuleType {
  /** Unit of `min` and `max`; `none`: they have no effect. */
  unit: 'percent' | 'bytes_per_second' | 'bytes' | 'number' | 'celsius' | 'days' | 'none'
  /** A total over the period given by the `cycle_` keys of the rule. */
  isCycle?: true
  /** The list in `state` that must not be missing: real servers fail on the rule without it. */
  needs?: 'gpu' | 'temperatures'
  /** Of which machines are asked for it, every few minutes. Only the embedded server does. */
  subject?: 'units' | 'containers' | 'disks' | 'packages'
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
  unit_failed: { unit: 'none', subject: 'units' },
  container_unhealthy: { unit: 'none', subject: 'containers' },
  container_restarts: { unit: 'number', subject: 'containers' },
  disk_free_min: { unit: 'percent', subject: 'disks' },
  inodes_max: { unit: 'percent', subject: 'disks' },
  smart_failing: { unit: 'none', subject: 'disks' },
  raid_degraded: { unit: 'none', subject: 'disks' },
  updates_waiting: { unit: 'days', subject: 'packages' },
  reboot_needed: { unit: 'none', subject: 'packages' },
}

/** Of which a machine is asked for a rule of this type; `undefined` for what it reports by itself. */
export const subjectOfType = (type: string): AlertRuleType['subject'] =>
  Object.hasOwn(alertRuleTypes, type) ? alertRuleTypes[type]?.subject : undefined

/** Whether a machine is asked for something that is so or not: the rule has no bounds, and fails when it is so. */
export const isYesOrNo = (type: string): boolean =>
  subjectOfType(type) !== undefined && alertRuleTypes[type]?.unit === 'none'
