/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { fillText } from '../../../i18n/fillText.ts'
import type { PublicStatus, StatusIncident } from '../../schemas/status/publicStatus.ts'
import { formatLength } from '../parts/formatLength.ts'
import { useLanguage } from '../parts/language.ts'
import { shortTime } from '../texts/shortTime.ts'
import { incidentSentence, type StatusTexts } from '../texts/statusTexts.ts'

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
