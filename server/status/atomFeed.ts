import { createHash } from 'node:crypto'
import { fillText } from '../../i18n/fillText.ts'
import type { Locale } from '../../i18n/locales.ts'
import { readTexts } from '../texts.ts'
import { escapeXml, shortText } from '../wire/html.ts'
import type { Incident } from './history/incidents.ts'

const pageTexts = readTexts('status')
const feedTexts = readTexts('feed')

/** What makes a feed one of this installation, wherever it is reached. */
export interface FeedIdentity {
  uuid: string
  /** Milliseconds since 1970. */
  createdAt: number
}

export interface FeedOptions {
  identity: FeedIdentity
  /** Empty where it has none. */
  siteName: string
  locale: Locale
  /** Where browsers find the page, without a slash at the end. */
  origin: string
  /** Of the times in sentences: `Europe/Rome`. */
  timeZone: string
  incidents: readonly Incident[]
}

export const feedPath = '/feed.atom'
/** The latest ones: readers keep what they have seen. */
export const maxEntries = 50
/** Characters of a name in a title. */
const maxName = 128

/** A feed of incidents (RFC 4287). Its entries are plain text, so that no reader draws anything of them as HTML. */
export function atomFeed({ identity, siteName, locale, origin, timeZone, incidents }: FeedOptions): string {
  const site = shortText(siteName, maxName) || pageTexts[locale].site
  const latest = incidents.toSorted((one, other) => updatedAt(other) - updatedAt(one)).slice(0, maxEntries)
  const updated = Math.max(identity.createdAt, ...latest.map(updatedAt))
  const entries = latest.map((incident) => entry(incident, { identity, locale, origin, timeZone }))
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locale}">
<id>urn:uuid:${identity.uuid}</id>
<title>${escapeXml(fillText(feedTexts[locale].feed.title, { site }))}</title>
<updated>${rfc3339(updated)}</updated>
<link rel="self" type="application/atom+xml" href="${escapeXml(origin + feedPath)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(origin)}/"/>
<author><name>${escapeXml(site)}</name></author>
${entries.map((text) => `${text}\n`).join('')}</feed>
`
}

const updatedAt = ({ started_at, ended_at }: Incident) => ended_at ?? started_at

type EntryOptions = Pick<FeedOptions, 'identity' | 'locale' | 'origin' | 'timeZone'>

function entry(incident: Incident, { identity, locale, origin, timeZone }: EntryOptions): string {
  const title = fillText(titleOf(incident, locale), { name: shortText(incident.name, maxName) })
  const page = incident.kind === 'server_offline' ? `/server/${incident.record_id}` : '/'
  return `<entry>
<id>urn:uuid:${entryUuid(identity.uuid, incident.id)}</id>
<title>${escapeXml(title)}</title>
<published>${rfc3339(incident.started_at)}</published>
<updated>${rfc3339(updatedAt(incident))}</updated>
<link rel="alternate" type="text/html" href="${escapeXml(origin + page)}"/>
<category term="${incident.kind}"/>
<content type="text">${escapeXml(sentences(incident, { locale, timeZone }))}</content>
</entry>`
}

function titleOf({ kind, ended_at }: Incident, locale: Locale): string {
  if (kind === 'service_down')
    return ended_at === null ? feedTexts[locale].feed.serviceIsDown : pageTexts[locale].serviceDown
  return ended_at === null ? feedTexts[locale].feed.serverIsOffline : pageTexts[locale].serverOffline
}

/** When it began and ended, how long it took, and why. */
function sentences(
  { started_at, ended_at, cause }: Incident,
  { locale, timeZone }: Pick<FeedOptions, 'locale' | 'timeZone'>,
): string {
  const texts = feedTexts[locale].feed
  const time = new Intl.DateTimeFormat(locale, { ...shownTime, timeZone })
  const reason = causeText(cause, locale)
  return [
    fillText(texts.began, { time: time.format(started_at) }),
    ...(ended_at === null
      ? []
      : [
          fillText(texts.ended, { time: time.format(ended_at), duration: durationText(ended_at - started_at, locale) }),
        ]),
    ...(reason ? [fillText(texts.cause, { cause: reason })] : []),
  ].join(' ')
}

const shownTime: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
}

function causeText(cause: Incident['cause'], locale: Locale): string | undefined {
  const { causes } = pageTexts[locale]
  if (cause.kind === 'status') return fillText(causes.status, { code: cause.code })
  // Of a server that is offline the title says it all.
  return cause.kind === 'unknown' || cause.kind === 'offline' ? undefined : causes[cause.kind]
}

/** The two largest units: `2 days, 3 hours`; at least a minute. */
function durationText(ms: number, locale: Locale): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
  const units = { day: days, hour: hours, minute: days > 0 ? 0 : minutes % 60 }
  const parts = Object.entries(units).filter(([, count]) => count > 0)
  return new Intl.ListFormat(locale, { type: 'unit' }).format(
    parts.map(([unit, count]) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count),
    ),
  )
}

/** The same for the same incident of the same installation (RFC 9562, version 5). */
function entryUuid(feed: string, incident: string): string {
  const namespace = Buffer.from(feed.replaceAll('-', ''), 'hex')
  const bytes = createHash('sha1').update(namespace).update(incident).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
}

const rfc3339 = (at: number) => new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z')
