/** @jsxImportSource preact */
import type { ShownNote } from '../../schemas/status/publicStatus.ts'
import { Facts } from '../parts/Facts.tsx'
import { useLanguage } from '../parts/language.ts'
import type { StatusTexts } from '../texts/statusTexts.ts'

/** What the public note of a server says: price, expiry, plan. */
export function NoteFacts({ note }: { note: ShownNote }) {
  const { texts, locale } = useLanguage()
  return <Facts class="note" facts={noteFacts(note, texts, locale)} />
}

/** Names and values, in the order of the form. */
export function noteFacts(
  { billingDataMod: billing = {}, planDataMod: plan = {} }: ShownNote,
  texts: StatusTexts,
  locale: string,
): (readonly [string, string])[] {
  const cycle = texts.cycles[billing.cycle as keyof StatusTexts['cycles']] ?? billing.cycle
  const counted = texts.trafficTypes[plan.trafficType as keyof StatusTexts['trafficTypes']]
  const versions = [plan.IPv4 === '1' && 'IPv4', plan.IPv6 === '1' && 'IPv6'].filter(Boolean).join(', ')
  const renewal = billing.autoRenewal === '1' ? texts.renewsItself : ''
  const facts = [
    [texts.price, joined([priceText(billing.amount), billing.amount && cycle], ' ')],
    [texts.starts, dayText(billing.startDate, texts, locale)],
    [texts.expires, joined([dayText(billing.endDate, texts, locale), renewal], ', ')],
    [texts.bandwidth, plan.bandwidth],
    [texts.trafficVolume, joined([plan.trafficVol, plan.trafficVol && counted], ', ')],
    [texts.networkRoute, plan.networkRoute],
    [texts.plan, joined([versions, plan.extra], ', ')],
  ] as const
  return facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []))
}

const joined = (parts: readonly (string | undefined)[], separator: string) => parts.filter(Boolean).join(separator)

/** As in the themes for visitors: 0 is free of charge; -1 is pay as you go, which has no amount. */
const priceText = (amount: string | undefined) => (amount === '-1' ? '' : amount)

/** The year 0 stands for never. */
function dayText(moment: string | undefined, texts: StatusTexts, locale: string): string {
  if (!moment) return ''
  if (moment.startsWith('0000')) return texts.neverExpires
  const day = /^\d{4}-\d\d-\d\d/.exec(moment)?.[0]
  if (!day || Number.isNaN(Date.parse(day))) return moment
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(day))
}
