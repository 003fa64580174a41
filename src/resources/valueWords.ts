import { formatCalendarDay } from '../components/format/format.ts'
import { keptSecret } from '../domain/configuration/fileValues.ts'
import { quotaText } from '../domain/contract/bytesText.ts'
import { formerPricesOf } from '../domain/contract/formerPrices.ts'
import type { ValueLanguage, ValueWords } from '../engine/history/useFieldText.ts'
import { fieldsIn, isObject, type Values } from '../schemas/define/values.ts'
import { type Contract, contract } from '../schemas/machines/contract.ts'
import { contractSettings } from '../schemas/settings/contractSettings.ts'
import { ignoredOf, readRules, ruleSentence } from './alert-rule/alertRule.ts'
import { stepTexts } from './escalation/stepTexts.ts'
import { weekdayNames } from './escalation/weekdayNames.ts'
import { priceText } from './server/contract/contractCells.tsx'

/** How values are said that are JSON on the wire, in plans and in the history, as their own screens say them. */
const valueWords: ValueWords = {
  'alert-rule.rules': sayRules,
  'service.check': sayCheck,
  'server.contract': sayContract,
  'contract-setting.rates': (value) =>
    contractSettings.form.shape.rates.safeParse(value).data?.map(({ currency, rate }) => `${currency} ${rate}`),
  'escalation.steps': saySteps,
  'escalation.days': sayDays,
  'rota.people': (value, { nameOf }) =>
    Array.isArray(value) ? [value.map((person) => nameOf('user', person)).join(', ')] : undefined,
  'rota.overrides': sayOverrides,
}

export default valueWords

function sayRules(value: unknown, language: ValueLanguage): string[] | undefined {
  return readRules(value)?.map((rule) => {
    // A configuration file has names in place of ids.
    const ignored = ignoredOf(rule)
    const byPlace = Object.fromEntries(ignored.map(([, isNamed], place) => [place, isNamed]))
    const nameOf = (place: number) => language.nameOf('server', ignored[place]?.[0] ?? '')
    return ruleSentence({ ...rule, ignore: byPlace }, nameOf, language)
  })
}

const line = (label: string, text: string, { translate }: ValueLanguage) =>
  translate('app.confirm.used_entry', { entity: label, names: text })

function sayCheck(value: unknown, language: ValueLanguage): string[] | undefined {
  const { kind, ...fields } = fieldsIn(value)
  if (typeof kind !== 'string') return undefined
  return [language.translate(`app.checks.kinds.${kind}`, { _: kind }), ...checkLines(fields, language)]
}

/** A line for each field of a check, or of a part of one, that is not empty. */
const checkLines = (fields: Values, language: ValueLanguage): string[] =>
  Object.entries(fields).flatMap(([name, value]) => {
    const text = checkText(name, value, language)
    return text === '' ? [] : [line(language.translate(`app.checks.fields.${name}`, { _: name }), text, language)]
  })

/** A field of a check, or a part of one; '' for what is empty. */
function checkText(name: string, value: unknown, language: ValueLanguage): string {
  const { translate } = language
  if (value === undefined || value === null || value === '') return ''
  if (value === keptSecret) return translate('app.configuration.secret')
  if (typeof value === 'boolean') return translate(`ra.boolean.${value}`)
  if (name === 'services' && Array.isArray(value)) return value.map((id) => language.nameOf('service', id)).join(', ')
  if (Array.isArray(value)) return value.map((part) => checkText('', part, language)).join(', ')
  if (!isObject(value)) return translate(`app.checks.choices.${name}.${value}`, { _: String(value) })
  // A value in JSON: `$.status == ok`.
  if ('path' in value && 'op' in value) return [value.path, value.op, value.value].join(' ').trim()
  const { kind, ...parts } = value
  return [...(kind === undefined ? [] : [checkText(name, kind, language)]), ...checkLines(parts, language)].join(', ')
}

function sayContract(value: unknown, language: ValueLanguage): string[] | undefined {
  const { success, data } = contract.safeParse(value)
  if (!success) return undefined
  const { translate, locale } = language
  const texts: readonly (readonly [string, string])[] = [
    ['price', data.price > 0 ? priceText(data.price, data.currency, locale) : ''],
    ['cycle', data.price > 0 ? translate(`app.contract.cycles.${data.cycle}`) : ''],
    ['ends_at', data.ends_at && formatCalendarDay(Date.parse(data.ends_at), locale)],
    ['renews', data.renews ? translate('ra.boolean.true') : ''],
    ['quota_bytes', quotaText(data.quota_bytes)],
    ['quota_counts', data.quota_bytes > 0 ? translate(`app.contract.counts.${data.quota_counts}`) : ''],
    ['resets_on', data.quota_bytes > 0 ? String(data.resets_on) : ''],
    ['zone', data.zone],
    ['provider', data.provider],
    ['note', data.note],
  ]
  return [
    ...texts.flatMap(([name, text]) => (text ? [line(translate(`app.contract.fields.${name}`), text, language)] : [])),
    ...formerPricesText(data, language),
  ]
}

function formerPricesText(data: Contract, language: ValueLanguage): string[] {
  const { translate, locale } = language
  const former = formerPricesOf(data).map(
    ({ price, currency, until }) =>
      `${priceText(price, currency, locale)} (→ ${formatCalendarDay(Date.parse(until), locale)})`,
  )
  return former.length > 0 ? [line(translate('app.contract.former_prices'), former.join(', '), language)] : []
}

const isListOfObjects = (value: unknown): value is Values[] => Array.isArray(value) && value.every(isObject)

function saySteps(value: unknown, language: ValueLanguage): string[] | undefined {
  if (!isListOfObjects(value)) return undefined
  const { nameOf } = language
  const steps = value.map(({ after_min, rota_id, notification_group_id }) => ({
    after_min: Number(after_min),
    name: rota_id ? nameOf('rota', String(rota_id)) : nameOf('notification-group', String(notification_group_id)),
  }))
  return stepTexts(steps, ({ name }) => name, language)
}

function sayDays(value: unknown, { locale }: ValueLanguage): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const chosen = weekdayNames(locale).filter(({ day }) => value.includes(day))
  return [chosen.map(({ name }) => name).join(', ')]
}

function sayOverrides(value: unknown, language: ValueLanguage): string[] | undefined {
  if (!isListOfObjects(value)) return undefined
  const days = new Intl.DateTimeFormat(language.locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return value.map(({ from, to, user_id }) =>
    line(
      days.formatRange(Date.parse(String(from)), Date.parse(String(to))),
      language.nameOf('user', String(user_id)),
      language,
    ),
  )
}
