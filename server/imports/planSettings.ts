import { byText, namesOf, type RecordsByEntity } from '../../src/domain/configuration/fileValues.ts'
import { describeFields, type FieldDescription } from '../../src/schemas/define/describe.ts'
import { sameValue, type Values } from '../../src/schemas/define/values.ts'
import type { ImportChange } from '../../src/schemas/endpoints/importEndpoints.ts'
import { siteSetting } from '../../src/schemas/settings/siteSetting.ts'
import type { Store } from '../db/store.ts'
import { readSite } from '../site/site.ts'
import type { ImportNames } from './importNames.ts'
import type { ImportData, Skipped } from './readers/importData.ts'

export interface PlannedSettings {
  /** The settings that change, with names in place of ids. */
  values: Values
  changes: readonly ImportChange[]
  unchanged: number
  skipped: readonly Skipped[]
}

/** Settings of the site that name records: of a notifier group by its id, and of servers by ids in one text. */
export const namingSettings = {
  ip_change_notification_group_id: 'notification-group',
  ignored_ip_notification: 'server',
} as const

export const isNaming = (name: string): name is keyof typeof namingSettings => name in namingSettings

/** Compares settings of the site with those here; the file says nothing of the others. */
export function planSettings(
  { settings }: ImportData,
  { nameOf }: ImportNames,
  here: RecordsByEntity,
  store: Store,
): PlannedSettings {
  const site = readSite(store)
  const nameHere = namesOf(here)
  const fields = new Map(describeFields(siteSetting).map((field) => [field.name, field]))
  const values: (readonly [string, unknown])[] = []
  const changed: ImportChange['fields'] = []
  const skipped: Skipped[] = []
  let unchanged = 0
  for (const [name, given] of Object.entries(settings)) {
    const field = fields.get(name)
    if (!field || !isPossible(name, given)) {
      skipped.push({ entity: 'setting', name, code: 'setting_invalid' })
      continue
    }
    const [before, after] = isNaming(name)
      ? [namesIn(site[name], name, nameHere), namesIn(given, name, nameOf)]
      : [shownValue(field, site[name]), shownValue(field, given)]
    if (sameValue(before, after) || (isNothing(before) && isNothing(after))) unchanged++
    else {
      values.push([name, isNaming(name) ? after : given])
      changed.push({ field: name, before: before ?? '', after })
    }
  }
  const site_name = String(site.site_name || 'Wheelhouse')
  const changes: ImportChange[] =
    changed.length === 0 ? [] : [{ verb: 'update', entity: 'setting', name: site_name, fields: changed }]
  return { values: Object.fromEntries(values), changes, unchanged, skipped }
}

function isPossible(name: string, value: unknown): boolean {
  const schema = Object.entries(siteSetting.form.shape).find(([field]) => field === name)?.[1]
  return schema?.safeParse(value).success === true
}

/** The names of the records in a setting, sorted. */
function namesIn(
  value: unknown,
  name: keyof typeof namingSettings,
  nameOf: (entity: string, id: number) => string | undefined,
): string[] {
  const ids = String(value ?? '')
    .split(',')
    .map(Number)
  return ids.flatMap((id) => nameOf(namingSettings[name], id) ?? []).sort(byText)
}

const shownValue = ({ choices }: FieldDescription, value: unknown): unknown => choices?.[String(value)] ?? value

const isNothing = (value: unknown) => value === undefined || value === '' || value === false || value === 0
