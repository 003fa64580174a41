/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { fillText } from '../../i18n/fillText.ts'
import { formatPercentFloor } from '../components/format/format.ts'
import { dayStatus } from '../domain/availability.ts'
import type { PublicStatus, StatusIncident, StatusService } from '../schemas/status/publicStatus.ts'
import { useLanguage } from './language.ts'
import { StateLabel } from './ServerCard.tsx'
import { formatLength, incidentSentence, type StatusTexts, shortTime } from './statusTexts.ts'

/** Services up to which all are shown at once; of more there are these first, and a search. */
const mostUnfolded = 30

/**
 * The services with their state, latency and availability. Of many, the rest is folded: those that are down come first
 * and are never folded, and a search finds all.
 */
export function ServiceSection({ status }: { status: PublicStatus }) {
  const { texts } = useLanguage()
  const [search, setSearch] = useState('')
  const [isUnfolded, setUnfolded] = useState(false)
  const { services } = status
  if (services.length === 0) return null
  const isLong = services.length > mostUnfolded
  const words = search.trim().toLowerCase().split(/\s+/)
  const found = services.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
  const down = found.filter(({ id }) => status.states[id]?.state === 'down')
  const sorted = isLong ? [...down, ...found.filter((service) => !down.includes(service))] : found
  const count = isUnfolded || !isLong ? sorted.length : Math.max(mostUnfolded, down.length)
  return (
    <section class="panel" aria-labelledby="services">
      <div class={isLong ? 'toolbar' : undefined}>
        <h2 id="services">
          {texts.services} <small class="quiet">{services.length}</small>
        </h2>
        {isLong && (
          <input
            type="search"
            aria-label={texts.searchServices}
            placeholder={texts.searchServices}
            value={search}
            maxLength={100}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        )}
      </div>
      {found.length === 0 && <p role="status">{texts.noServiceMatch}</p>}
      <ul class="services">
        {sorted.slice(0, count).map((service) => (
          <li key={service.id}>
            <div class="row">
              <h3>{service.name}</h3>
              <Latency latency={status.states[service.id]?.latency} />
              <ServiceState id={service.id} status={status} />
            </div>
            <AvailabilityBars service={service} today={status.today} />
          </li>
        ))}
      </ul>
      {sorted.length > count && (
        <button type="button" class="more" onClick={() => setUnfolded(true)}>
          {fillText(texts.showMore, { count: sorted.length - count })}
        </button>
      )}
    </section>
  )
}

function Latency({ latency }: { latency?: number }) {
  const { texts, locale } = useLanguage()
  if (latency === undefined) return null
  const value = new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond' }).format(latency)
  return (
    <span class="latency quiet">
      {texts.latency} {value}
    </span>
  )
}

function ServiceState({ id, status }: { id: number; status: PublicStatus }) {
  const { texts, locale } = useLanguage()
  const { state, since } = status.states[id] ?? {}
  if (status.windows.some(({ services }) => services.includes(id))) {
    return <StateLabel kind="maintenance">{texts.maintenance}</StateLabel>
  }
  if (!state) return <StateLabel kind="unknown">{texts.notChecked}</StateLabel>
  if (state === 'paused') return <StateLabel kind="unknown">{texts.paused}</StateLabel>
  if (state === 'up') return <StateLabel kind="good">{texts.up}</StateLabel>
  if (state === 'degraded') return <StateLabel kind="degraded">{texts.degraded}</StateLabel>
  return (
    <StateLabel kind="danger">
      {texts.down} {since && fillText(texts.downSince, { time: shortTime(Date.parse(since), status.now, locale) })}
    </StateLabel>
  )
}

interface AvailabilityBarsProps {
  service: StatusService
  /** The last of the days: `2026-11-21`. */
  today: string
}

const dayMs = 86_400_000
/** Days that fit on a phone. */
const daysOnPhone = 30

/** A bar for each day, 30 on phones and 90 elsewhere. */
function AvailabilityBars({ service: { up, down_minutes, up_30, up_90 }, today }: AvailabilityBarsProps) {
  const { texts, locale } = useLanguage()
  const dayText = (index: number) => {
    const at = Date.parse(today) - (up.length - 1 - index) * dayMs
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(at)
  }
  const title = (share: number | null, index: number) =>
    share === null
      ? fillText(texts.dayWithoutChecks, { day: dayText(index) })
      : fillText(texts.dayAvailability, {
          day: dayText(index),
          percent: formatPercentFloor(share * 100, locale),
          minutes: down_minutes[index] ?? 0,
        })
  const sum = (count: number, share: number | null) =>
    `${fillText(texts.lastDays, { count })}: ${share === null ? texts.noData : fillText(texts.availability, { percent: formatPercentFloor(share * 100, locale) })}`
  return (
    <>
      <div class="days" role="img" aria-label={`${sum(30, up_30)}. ${sum(90, up_90)}`}>
        {up.map((share, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a day has no other name than its place
            key={index}
            class={`day ${dayStatus(share === null ? undefined : share * 100)} ${index < up.length - daysOnPhone ? 'older' : ''}`}
            title={title(share, index)}
          />
        ))}
      </div>
      <div class="row quiet" aria-hidden="true">
        <span class="wide-only">{sum(90, up_90)}</span>
        <span class="narrow-only">{sum(30, up_30)}</span>
        <span>{texts.today}</span>
      </div>
    </>
  )
}

/** Incidents that are listed; the feed has all of them. */
const maxIncidents = 50
/** Incidents before the rest is unfolded. */
const firstIncidents = 10

/** What was down in the last 14 days, with its length and its cause. */
export function IncidentSection({ status }: { status: PublicStatus }) {
  const { texts } = useLanguage()
  const [count, setCount] = useState(firstIncidents)
  if (status.servers.length + status.services.length === 0) return null
  const listed = status.incidents.slice(0, maxIncidents)
  return (
    <section class="panel" aria-labelledby="incidents">
      <h2 id="incidents">{texts.incidents}</h2>
      {status.incidents.length === 0 && <p class="quiet">{texts.noIncidents}</p>}
      <ul class="incidents">
        {listed.slice(0, count).map((incident) => (
          <Incident key={incident.id} incident={incident} now={status.now} />
        ))}
      </ul>
      {listed.length > count && (
        <button type="button" class="more" onClick={() => setCount(maxIncidents)}>
          {fillText(texts.showMore, { count: listed.length - count })}
        </button>
      )}
      <p>
        <a href="/feed.atom">{texts.feed}</a>
      </p>
    </section>
  )
}

function Incident({ incident, now }: { incident: StatusIncident; now: number }) {
  const { texts, locale } = useLanguage()
  const { started_at, ended_at } = incident
  const begin = Date.parse(started_at)
  const start = shortTime(begin, now, locale)
  const cause = causeText(incident, texts)
  return (
    <li>
      <strong class={ended_at ? '' : 'danger'}>{incidentSentence(incident, texts)}</strong>
      <div class="quiet">
        {ended_at
          ? fillText(texts.lasted, { start, duration: formatLength((Date.parse(ended_at) - begin) / 1000, locale) })
          : fillText(texts.lasts, { start })}
        {cause && ` · ${cause}`}
      </div>
    </li>
  )
}

function causeText({ cause, code = 0 }: StatusIncident, { causes }: StatusTexts): string {
  const text = causes[cause as keyof StatusTexts['causes']]
  return text ? fillText(text, { code }) : ''
}
