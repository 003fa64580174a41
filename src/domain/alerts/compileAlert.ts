import { type AlertRuleType, isYesOrNo, subjectOfType } from '../../schemas/alerts/alertRuleTypes.ts'
import { isCycleType, maxRecoverySeconds, sampleSeconds } from '../../schemas/alerts/ruleLimits.ts'
import type { Values } from '../../schemas/define/values.ts'
import { type Calendar, cycleUnitOf, type OwnedCalendar } from './calendar.ts'
import { isMetricType } from './metricValue.ts'
import { maxSamples } from './sampleWindow.ts'
import type { Bounds } from './thresholds.ts'

/** One rule of an alert as on the wire, with checked types of its known keys. Unknown keys are kept. */
export interface AlertRulePart {
  type: string
  min?: number
  max?: number
  /** Samples. */
  duration?: number
  /** See `Recovery`; bounds and seconds. */
  recovery_min?: number
  recovery_max?: number
  recovery_duration?: number
  cover: number
  ignore?: Record<string, boolean>
  cycle_start?: string
  cycle_interval?: number
  cycle_unit?: string
  [key: string]: unknown
}

/** An alert rule as it is stored: the fields of its form, and whose it is. */
export type AlertRuleRow = Values & { readonly id: number; readonly user_id: number }

/** One rule of an alert, prepared for evaluation. */
export type CompiledRule = SampledRule | CycleRule

export interface SampledRule {
  kind: 'offline' | 'metric'
  type: string
  bounds: Bounds
  /** How many of the last samples are evaluated. */
  sampleCount: number
  /** What an alarm needs to be over, where that is more than that its rules do not fail any more. */
  recovery?: Recovery
}

/** How many samples in a row must be within these bounds. */
export interface Recovery {
  bounds: Bounds
  sampleCount: number
}

export interface CycleRule {
  kind: 'cycle'
  type: string
  bounds: Bounds
  calendar: Calendar
}

/** An alert rule, prepared for evaluation. */
export interface CompiledAlert {
  id: number
  name: string
  ownerId: number
  groupId: number
  /** Whether it notifies once until it recovers; else at every check. */
  notifiesOnce: boolean
  failTasks: readonly number[]
  recoverTasks: readonly number[]
  rules: readonly CompiledRule[]
  /** Of which machines have to be asked for its rules. */
  subjects: readonly NonNullable<AlertRuleType['subject']>[]
  /** Changes whenever the rule is saved, which makes older samples invalid. */
  version: string
  /** Whether all of its rules cover this server. They have to fail together, so otherwise it never fails there. */
  covers(serverId: number): boolean
}

/**
 * The alert of a row; `undefined` when it is disabled or has a rule that can never fail: of an unknown type, or saved
 * incompletely by an earlier version.
 * @param intervalMs milliseconds between two samples; with longer ones than the default, a rule looks at fewer of them
 */
export function compileAlert(row: AlertRuleRow, intervalMs = sampleSeconds * 1000): CompiledAlert | undefined {
  const parts = rulesOf(row)
  const rules = parts.map((part) => compileRule(part, intervalMs))
  if (!row.enable || rules.length === 0 || rules.includes(undefined)) return undefined
  const coverages = parts.map(coverageOf)
  return {
    id: row.id,
    name: String(row.name ?? ''),
    ownerId: row.user_id,
    groupId: Number(row.notification_group_id ?? 0),
    notifiesOnce: row.trigger_mode !== 0,
    failTasks: idsOf(row.fail_trigger_tasks),
    recoverTasks: idsOf(row.recover_trigger_tasks),
    rules: rules as CompiledRule[],
    subjects: [...new Set(parts.flatMap(({ type }) => subjectOfType(type) ?? []))],
    version: alertVersion(row),
    covers(serverId) {
      for (const covers of coverages) if (!covers(serverId)) return false
      return true
    },
  }
}

/** See `CompiledAlert.version`. */
export const alertVersion = (row: AlertRuleRow): string => String(row.updated_at ?? '')

/** The calendars of a row's rules, even if it is disabled: its traffic is counted all the same. */
export const calendarsOf = (row: AlertRuleRow): OwnedCalendar[] =>
  rulesOf(row).flatMap((part) => {
    const rule = compileRule(part, sampleSeconds * 1000)
    return rule?.kind === 'cycle' ? [{ calendar: rule.calendar, ownerId: row.user_id }] : []
  })

const rulesOf = ({ rules }: AlertRuleRow) => (Array.isArray(rules) ? rules : []) as AlertRulePart[]
const idsOf = (value: unknown) => (Array.isArray(value) ? value : []) as number[]

function compileRule(part: AlertRulePart, intervalMs: number): CompiledRule | undefined {
  const { type, min, max, duration = 0 } = part
  // What is so or not is 0 where it is not.
  const bounds = isYesOrNo(type) ? { min: 0, max: 0.5 } : { min, max }
  if (isCycleType(type)) {
    const calendar = calendarOf(part)
    return calendar && cycleTypes.includes(type) ? { kind: 'cycle', type, bounds, calendar } : undefined
  }
  const samples = Math.min(Math.max(1, duration), maxSamples)
  const sampleCount = Math.ceil((samples * sampleSeconds * 1000) / intervalMs)
  const sampled = { type, bounds, sampleCount, recovery: recoveryOf({ ...part, ...bounds }, intervalMs) }
  if (type === 'offline') return { kind: 'offline', ...sampled }
  return isMetricType(type) ? { kind: 'metric', ...sampled } : undefined
}

function recoveryOf(part: AlertRulePart, intervalMs: number): Recovery | undefined {
  const { min = 0, max = 0, recovery_min = 0, recovery_max = 0, recovery_duration = 0 } = part
  if (!(recovery_min > 0) && !(recovery_max > 0) && !(recovery_duration > 0)) return undefined
  const seconds = Math.min(recovery_duration, maxRecoverySeconds)
  return {
    bounds: { min: recovery_min > 0 ? recovery_min : min, max: recovery_max > 0 ? recovery_max : max },
    sampleCount: Math.max(1, Math.ceil((seconds * 1000) / intervalMs)),
  }
}

const cycleTypes: readonly string[] = ['transfer_in_cycle', 'transfer_out_cycle', 'transfer_all_cycle']

function calendarOf({ cycle_start = '', cycle_interval = 0, cycle_unit }: AlertRulePart): Calendar | undefined {
  const start = Date.parse(cycle_start.replace(',', '.'))
  if (Number.isNaN(start) || cycle_interval < 1) return undefined
  return { start, interval: cycle_interval, unit: cycleUnitOf(cycle_unit) }
}

/** The servers of a list that all rules cover. */
export function coveredBy(rules: readonly AlertRulePart[], servers: readonly number[]): number[] {
  const coverages = rules.map(coverageOf)
  return servers.filter((id) => coverages.every((covers) => covers(id)))
}

function coverageOf({ cover, ignore }: AlertRulePart): (serverId: number) => boolean {
  const listed = new Set(Object.entries(ignore ?? {}).flatMap(([id, isListed]) => (isListed ? [Number(id)] : [])))
  return cover === 1 ? (id) => listed.has(id) : (id) => !listed.has(id)
}
