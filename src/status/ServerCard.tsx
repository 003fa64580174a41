/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import type { PublicStatus, ShownNote, StatusMetrics, StatusServer } from '../schemas/status/publicStatus.ts'
import { useLanguage } from './language.ts'
import {
  loadText,
  type MeterValue,
  metersOf,
  networkText,
  percentText,
  trafficText,
  uptimeText,
} from './metricTexts.ts'
import type { StatusTexts } from './statusTexts.ts'

/** A server with its live metrics. */
export function ServerCard({ server, status }: { server: StatusServer; status: PublicStatus }) {
  const metrics = status.metrics[server.id]
  return (
    <li class="panel card">
      <div class="row">
        <h3>
          <ServerName server={server} />
        </h3>
        <ServerState id={server.id} status={status} />
      </div>
      {metrics && <Metrics server={server} metrics={metrics} />}
      {server.note && <NoteFacts note={server.note} />}
    </li>
  )
}

function Metrics({ server, metrics }: { server: StatusServer; metrics: StatusMetrics }) {
  const { texts, locale } = useLanguage()
  const facts = [
    [texts.network, networkText(metrics, locale)],
    [texts.traffic, trafficText(metrics, locale)],
    [texts.uptime, uptimeText(metrics, locale)],
    [texts.load, loadText(metrics, locale)],
  ] as const
  return (
    <>
      <div class="meters">
        {metersOf(server, metrics, texts, locale).map((meter) => (
          <Meter key={meter.label} {...meter} />
        ))}
      </div>
      <Facts facts={facts} />
    </>
  )
}

/** The name of a server, which leads to its page, behind the flag of its country. */
export function ServerName({ server: { id, name, country_code = '' } }: { server: StatusServer }) {
  const { locale } = useLanguage()
  const country = countryName(country_code, locale)
  return (
    <>
      {country && (
        <span class="flag" role="img" aria-label={country} title={country}>
          {countryFlag(country_code)}
        </span>
      )}
      <a href={`/server/${id}`}>{name}</a>
    </>
  )
}

/** Whether a server is online, or somebody works on it. */
export function ServerState({ id, status }: { id: number; status: PublicStatus }) {
  const { texts } = useLanguage()
  if (status.windows.some(({ servers }) => servers.includes(id))) {
    return <StateLabel kind="maintenance">{texts.maintenance}</StateLabel>
  }
  return status.metrics[id] ? (
    <StateLabel kind="good">{texts.online}</StateLabel>
  ) : (
    <StateLabel kind="danger">{texts.offline}</StateLabel>
  )
}

interface StateLabelProps {
  kind: 'good' | 'degraded' | 'danger' | 'maintenance' | 'unknown'
  children: ComponentChildren
}

/** A state in words, with a dot whose shape differs too: not everybody tells the colours apart. */
export const StateLabel = ({ kind, children }: StateLabelProps) => <span class={`state ${kind}`}>{children}</span>

/** A bar that fills; above 90 percent it warns. Without a value it is empty, and has a dash. */
export function Meter({ label, percent, text, isBare = false }: MeterValue & { isBare?: boolean }) {
  const { locale } = useLanguage()
  const shown = percentText(percent, locale)
  const heading = (
    <>
      {!isBare && <span>{label}</span>}
      <span class="value">{shown}</span>
    </>
  )
  // A meter has a value; where none is known, the empty bar keeps the place.
  if (percent === undefined) {
    return (
      <div class="meter">
        {heading}
        <span class="track" />
      </div>
    )
  }
  const value = Math.min(100, Math.max(0, percent))
  return (
    <div class="meter" title={text}>
      {heading}
      {/* biome-ignore lint/a11y/useSemanticElements: the colours of a meter element differ in every browser */}
      <span
        class={`track ${value > 90 ? 'full' : ''}`}
        role="meter"
        aria-label={label}
        aria-valuenow={Math.round(value)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text ? `${shown}, ${text}` : shown}
      >
        <span style={{ width: `${value}%` }} />
      </span>
    </div>
  )
}

/** What the public note of a server says: price, expiry, plan. */
function NoteFacts({ note }: { note: ShownNote }) {
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

interface FactsProps {
  /** Names and values. */
  facts: readonly (readonly [string, string])[]
  /** Classes beside `facts`. */
  class?: string
}

/** What is known of a server, by name. */
const Facts = ({ facts, class: more = '' }: FactsProps) => (
  <dl class={`facts ${more}`}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** The name of a country in a language; its code where nobody knows a name. @param code two letters, or '' */
export function countryName(code: string, locale: string): string {
  if (!/^[a-z]{2}$/i.test(code)) return ''
  return new Intl.DisplayNames(locale, { type: 'region' }).of(code.toUpperCase()) ?? code.toUpperCase()
}

/** The flag as an emoji; browsers without flags show the letters. */
function countryFlag(code: string): string {
  if (!/^[a-z]{2}$/i.test(code)) return ''
  return String.fromCodePoint(...[...code.toUpperCase()].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 65))
}
