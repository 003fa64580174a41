import { isCycleType } from '../../src/schemas/alerts/alertRuleTypes.ts'
import type { Row } from '../entities/row.ts'
import { type Calendar, cycleUnitOf } from './calendar.ts'
import type { Bounds } from './evaluate.ts'
import { isWatched } from './metricValue.ts'
import type { AlertRulePart } from './readAlertRules.ts'
import { longestWindow } from './sampleWindow.ts'

/** One rule of an alert, ready to be judged by. */
export type WatchedRule = SampledRule | CycleRule

export interface SampledRule {
  kind: 'offline' | 'figure'
  type: string
  bounds: Bounds
  /** How many samples decide. */
  size: number
}

export interface CycleRule {
  kind: 'cycle'
  type: string
  bounds: Bounds
  calendar: Calendar
}

/** An alert rule as it is watched. */
export interface Alert {
  id: number
  name: string
  ownerId: number
  groupId: number
  /** Tells once until it has recovered; else at every check. */
  isOnce: boolean
  failTasks: readonly number[]
  recoverTasks: readonly number[]
  rules: readonly WatchedRule[]
  /** Changes whenever somebody saves the rule: what was sampled before says nothing about it any more. */
  version: string
  /** Whether all of its rules look at this server. They have to fail together, so otherwise it never fails there. */
  covers(serverId: number): boolean
}

/**
 * The alert of a row; `undefined` for one that is disabled, or has a rule that never fails: of an unknown type, or
 * saved by an earlier version without what it needs.
 */
export function alertOf(row: Row): Alert | undefined {
  const parts = partsOf(row)
  const rules = parts.map(ruleOf)
  if (!row.enable || rules.length === 0 || rules.includes(undefined)) return undefined
  const looks = parts.map(coverageOf)
  return {
    id: row.id,
    name: String(row.name ?? ''),
    ownerId: row.user_id,
    groupId: Number(row.notification_group_id ?? 0),
    isOnce: row.trigger_mode !== 0,
    failTasks: idsOf(row.fail_trigger_tasks),
    recoverTasks: idsOf(row.recover_trigger_tasks),
    rules: rules as WatchedRule[],
    version: versionOf(row),
    covers: (serverId) => looks.every((covers) => covers(serverId)),
  }
}

/** See `Alert.version`. */
export const versionOf = (row: Row): string => String(row.updated_at ?? '')

/** The calendars of a row's rules, of a disabled one too: while it rests, its traffic goes on being counted. */
export const calendarsOf = (row: Row): Calendar[] =>
  partsOf(row).flatMap((part) => {
    const rule = ruleOf(part)
    return rule?.kind === 'cycle' ? [rule.calendar] : []
  })

const partsOf = ({ rules }: Row) => (Array.isArray(rules) ? rules : []) as AlertRulePart[]
const idsOf = (value: unknown) => (Array.isArray(value) ? value : []) as number[]

function ruleOf(part: AlertRulePart): WatchedRule | undefined {
  const { type, min, max, duration = 0 } = part
  const bounds = { min, max }
  if (isCycleType(type)) {
    const calendar = calendarOf(part)
    return calendar && cycleTypes.includes(type) ? { kind: 'cycle', type, bounds, calendar } : undefined
  }
  const size = Math.min(Math.max(1, duration), longestWindow)
  if (type === 'offline') return { kind: 'offline', type, bounds, size }
  return isWatched(type) ? { kind: 'figure', type, bounds, size } : undefined
}

const cycleTypes: readonly string[] = ['transfer_in_cycle', 'transfer_out_cycle', 'transfer_all_cycle']

function calendarOf({ cycle_start = '', cycle_interval = 0, cycle_unit }: AlertRulePart): Calendar | undefined {
  const start = Date.parse(cycle_start.replace(',', '.'))
  if (Number.isNaN(start) || cycle_interval < 1) return undefined
  return { start, interval: cycle_interval, unit: cycleUnitOf(cycle_unit) }
}

function coverageOf({ cover, ignore }: AlertRulePart): (serverId: number) => boolean {
  const named = new Set(Object.entries(ignore ?? {}).flatMap(([id, isNamed]) => (isNamed ? [Number(id)] : [])))
  return cover === 1 ? (id) => named.has(id) : (id) => !named.has(id)
}
