import type { RaRecord } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import type { Values } from '../../../schemas/define/values.ts'
import { type Rule, readRules, withoutRecovery } from '../../alert-rule/alertRule.ts'

export interface SuggestedRule {
  /** Part of the key of its name. */
  key: string
  rule: Rule
  /** Whether it is made unless somebody says otherwise. */
  isChosen: boolean
}

/**
 * Rules that nearly everybody wants, each over several minutes: a peak is no trouble, and a value that swings around
 * its bound is one alarm. `duration` is in samples of 3 s.
 */
const suggestedRules: readonly SuggestedRule[] = [
  { key: 'offline', rule: { type: 'offline', duration: 20, recovery_duration: 60, cover: 0 }, isChosen: true },
  { key: 'disk', rule: { type: 'disk', max: 90, duration: 100, ...below(85), cover: 0 }, isChosen: true },
  { key: 'memory', rule: { type: 'memory', max: 95, duration: 100, ...below(85), cover: 0 }, isChosen: true },
  // Machines that compute are busy for hours and well.
  { key: 'cpu', rule: { type: 'cpu', max: 95, duration: 200, ...below(80), cover: 0 }, isChosen: false },
]

function below(recovery_max: number) {
  return { recovery_max, recovery_duration: 180 }
}

/** Those whose metric no rule watches yet. @param hasRecovery whether rules of this server can say when they recover */
export function missingRules(rules: readonly RaRecord[], hasRecovery: boolean): SuggestedRule[] {
  const watched = new Set(rules.flatMap((row) => readRules(row.rules)?.map(({ type }) => type) ?? []))
  const missing = suggestedRules.filter(({ rule }) => !watched.has(rule.type))
  return hasRecovery ? missing : missing.map((one) => ({ ...one, rule: withoutRecovery(one.rule) }))
}

/** What is made together. */
export interface SetupPlan {
  notifier: Values & { name: string }
  /** The id of the group that the notifier joins, or the name of a new one. */
  group: number | string
  rules: readonly { name: string; rule: Rule }[]
  /** Rules of this person that notify no group: they are to notify this one. */
  silent: readonly RaRecord[]
}

/** One record that was made or changed, and what takes that back. */
export interface MadeRecord {
  entity: 'notification' | 'notification-group' | 'alert-rule'
  id: number
  name: string
  isNew: boolean
  undo: () => Promise<unknown>
}

/** How alarms are told that are set up here: once, until the server has recovered. */
const once = 1

/**
 * Makes what is planned and not made yet, one after the other. The server sends the test message before it stores the
 * notifier, so nothing at all is made where that is not accepted.
 * @param made what an earlier try has made
 * @param onMade is told of each record
 */
export async function makeSetup(
  provider: ConsoleDataProvider,
  plan: SetupPlan,
  made: readonly MadeRecord[],
  onMade: (record: MadeRecord) => void,
): Promise<void> {
  const all = [...made]
  const notifier = await newRecord('notification', plan.notifier)
  const group =
    typeof plan.group === 'string'
      ? await newRecord('notification-group', { name: plan.group, notifications: [notifier] })
      : await joinedGroup(plan.group)
  for (const { name, rule } of plan.rules) {
    await newRecord('alert-rule', { name, trigger_mode: once, notification_group_id: group, rules: [rule] })
  }
  for (const { id, name } of plan.silent) {
    await changedRecord('alert-rule', { id: Number(id), name }, { notification_group_id: group }, () => ({
      notification_group_id: 0,
    }))
  }

  async function newRecord(entity: MadeRecord['entity'], data: Values & { name: string }): Promise<number> {
    const before = all.find((one) => one.isNew && one.entity === entity && one.name === data.name)
    if (before) return before.id
    const { data: record } = await provider.create(entity, { data })
    const id = Number(record.id)
    const referrers = ['notification-group', 'alert-rule', 'service', 'cron']
    add({
      entity,
      id,
      name: data.name,
      isNew: true,
      undo: () => provider.deleteMany(entity, { ids: [id], meta: { referrers } }),
    })
    return id
  }

  async function joinedGroup(id: number): Promise<number> {
    const current = async () => (await provider.reload('notification-group')).find((row) => Number(row.id) === id)
    const membersOf = (row: RaRecord | undefined): number[] => row?.notifications ?? []
    const row = await current()
    const others = async () => ({ notifications: membersOf(await current()).filter((member) => member !== notifier) })
    const name = String(row?.name ?? `#${id}`)
    const members = [...new Set([...membersOf(row), notifier])]
    await changedRecord('notification-group', { id, name }, { notifications: members }, others)
    return id
  }

  async function changedRecord(
    entity: MadeRecord['entity'],
    { id, name }: { id: number; name: string },
    data: Values,
    before: () => Values | Promise<Values>,
  ): Promise<void> {
    if (all.some((one) => one.entity === entity && one.id === id)) return
    await provider.update(entity, { id, data, previousData: undefined as never })
    add({
      entity,
      id,
      name,
      isNew: false,
      undo: async () => provider.update(entity, { id, data: await before(), previousData: undefined as never }),
    })
  }

  function add(record: MadeRecord): void {
    all.push(record)
    onMade(record)
  }
}
