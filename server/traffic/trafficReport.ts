import { type Cycle, type CycleUnit, cycleAt } from '../../src/domain/alerts/calendar.ts'
import { bytesText } from '../../src/domain/contract/bytesText.ts'
import { dayIn, dayText } from '../../src/domain/contract/trafficPeriods.ts'
import { zoneOffset } from '../../src/domain/cron/timeZone.ts'
import type { Costs } from '../../src/schemas/endpoints/contractEndpoints.ts'
import { server } from '../../src/schemas/server.ts'
import type { ContractSetting, ReportInterval } from '../../src/schemas/settings/contractSettings.ts'
import { oneAtATime } from '../concurrency/repeat.ts'
import { leaveTurn, takeTurns } from '../concurrency/takeTurns.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Notifications } from '../notifications/notifications.ts'
import { consoleLink, formatNumber, type Messages, messagesOf, namesText } from '../site/messages.ts'
import type { DaySpan } from './trafficDays.ts'
import type { CountedTraffic } from './trafficPlugin.ts'

/** Sends a report on traffic, costs and ends of contracts by day, week or month. */
export interface TrafficReport {
  /** Sends it when it is due. The timer calls it every few minutes; one at a time. */
  check(): Promise<void>
}

interface Services {
  store: Store
  setting: () => Pick<ContractSetting, 'report' | 'report_group_id'>
  traffic: Pick<CountedTraffic, 'days' | 'inPeriod'>
  /** Those of all servers. */
  costs: () => Promise<Costs>
  notifications: Pick<Notifications, 'send' | 'save' | 'reaches'>
  /** The address people use. Without it, there is no link. */
  publicUrl?: URL
  /** Milliseconds since 1970. */
  now: () => number
  /** By whose clocks days begin. */
  zone: () => string
}

/** What was sent last; saved, so that a report is sent once, also when this server was off when it was due. */
interface Sent {
  interval: ReportInterval
  /** The end of what the last report was about, in milliseconds since 1970. */
  until: number
}

const storeKey = 'traffic_report'
/** Milliseconds after midnight: people read it in the morning. */
const sendAfterMs = 8 * 3_600_000
const dayMs = 86_400_000
/** The first begins of cycles, as UTC: a Saturday that is the first of a month, and a Monday. */
const firstDay = Date.UTC(2000, 0, 1)
const firstMonday = Date.UTC(2000, 0, 3)
/** Names in a line: messengers take some thousand characters. */
const maxNames = 10
/** A quota is in the report from this share. */
const quotaPercent = 80
/** An end of contract is in the report so many days before. */
const endDays = 30

export function createTrafficReport(services: Services): TrafficReport {
  const { store, setting, notifications, publicUrl, now, zone } = services
  const messages = messagesOf(store)

  async function check(): Promise<void> {
    const { report: interval, report_group_id: groupId } = setting()
    const sent = store.value<Sent>(storeKey)
    if (interval === 'never' || groupId === 0) {
      if (sent) store.setValue(storeKey, null)
      return
    }
    const present = cycleOf(interval, now() - sendAfterMs, zone())
    const next: Sent = { interval, until: present.from }
    // Whoever has switched it on waits for the end of a day, week or month.
    if (sent?.interval !== interval) return store.setValue(storeKey, next)
    // What nobody gets is sent once somebody does.
    if (sent.until >= next.until || !notifications.reaches(groupId)) return
    const message = await reportText({ ...services, messages }, cycleOf(interval, present.from - 1, zone()))
    const link = consoleLink(publicUrl, 'server-group/costs')
    // Reading thousands of servers takes a while: this may have been stopped meanwhile.
    if (!notifications.reaches(groupId)) return
    // What is sent is on the disk together with what is left to send, or neither is.
    store.transaction(() => {
      notifications.send({ groupId, message: link ? `${message}\n${link}` : message })
      notifications.save()
      store.setValue(storeKey, next)
    })
  }

  return { check: oneAtATime(check) }
}

function cycleOf(unit: CycleUnit, at: number, zone: string): Cycle {
  const first = unit === 'week' ? firstMonday : firstDay
  return cycleAt({ start: first - zoneOffset(zone, first), interval: 1, unit }, at, zone)
}

interface Figures {
  /** Bytes in the time of the report, those with the most first. */
  traffic: { name: string; received: number; sent: number }[]
  /** Percent of quotas in the present periods, the highest first. */
  quotas: { name: string; percent: number; forecast: number | undefined }[]
}

async function figuresOf(
  { store, traffic: counted }: Pick<Services, 'store' | 'traffic'>,
  span: DaySpan,
): Promise<Figures> {
  const traffic: Figures['traffic'] = []
  const quotas: Figures['quotas'] = []
  const turn = takeTurns(leaveTurn)
  const trafficOf = counted.inPeriod(0)
  for (const row of entityTable(store, server).all()) {
    const { name, contract } = row
    let [received, sent] = [0, 0]
    for (const [day, bytes] of counted.days.read(row.id, span).days) {
      if (day < span.first || day > span.last) continue
      received += bytes[0]
      sent += bytes[1]
    }
    traffic.push({ name, received, sent })
    if (contract && contract.quota_bytes > 0) {
      const { used, quota_bytes, forecast } = trafficOf(row)
      const percent = (used / quota_bytes) * 100
      if (percent >= quotaPercent || (forecast ?? 0) > quota_bytes) {
        quotas.push({ name, percent, forecast: forecast && (forecast / quota_bytes) * 100 })
      }
    }
    await turn()
  }
  return {
    traffic: traffic.sort((one, other) => other.received + other.sent - one.received - one.sent),
    quotas: quotas.sort((one, other) => other.percent - one.percent),
  }
}

/** The report in plain text: what it is about in the first line, then what is most important. */
async function reportText(services: Services & { messages: Messages }, { from, to }: Cycle): Promise<string> {
  const { costs: readCosts, messages, now, zone } = services
  const span = { first: dayIn(zone(), from), last: dayIn(zone(), to) - 1 }
  const { traffic, quotas } = await figuresOf(services, span)
  const costs = await readCosts()
  const locale = messages.locale()
  const bytes = (value: number) => bytesText(value, locale)
  const percent = (value: number) => formatNumber(Math.floor(value) / 100, 'percent', locale)
  function line<One>(
    key: 'report_most' | 'report_quotas' | 'report_ends' | 'report_renews',
    all: readonly One[],
    textOf: (one: One) => string,
  ): string {
    if (all.length === 0) return ''
    return messages(key, { names: namesText(messages, all, maxNames, textOf) })
  }
  const soon = costs.servers.flatMap(({ name, renews, ends_at = '' }) => {
    const end = Date.parse(ends_at)
    return end >= now() && end < now() + endDays * dayMs ? [{ name, renews, end }] : []
  })
  const endText = ({ name, end }: { name: string; end: number }) => `${name} ${dayText(dayIn(zone(), end))}`
  const [first, last] = [dayText(span.first), dayText(span.last)]
  const received = traffic.reduce((sum, one) => sum + one.received, 0)
  const sent = traffic.reduce((sum, one) => sum + one.sent, 0)
  return [
    messages('report', { dates: first === last ? first : `${first} – ${last}` }),
    messages('report_traffic', { received: bytes(received), sent: bytes(sent) }),
    costsLine(costs, messages),
    line('report_quotas', quotas, ({ name, percent: used, forecast }) =>
      forecast === undefined
        ? `${name} ${percent(used)}`
        : messages('report_quota', { server: name, used: percent(used), forecast: percent(forecast) }),
    ),
    line(
      'report_ends',
      soon.filter(({ renews }) => !renews),
      endText,
    ),
    line(
      'report_renews',
      soon.filter(({ renews }) => renews),
      endText,
    ),
    line(
      'report_most',
      traffic.filter((one) => one.received + one.sent > 0),
      (one) => `${one.name} ${bytes(one.received + one.sent)}`,
    ),
  ]
    .filter(Boolean)
    .join('\n')
}

function costsLine({ currency, total, unconverted }: Costs, messages: Messages): string {
  if (total.month === 0) return ''
  const number = new Intl.NumberFormat(
    messages.locale(),
    currency === '' ? { maximumFractionDigits: 2 } : { style: 'currency', currency },
  )
  const month = number.format(total.month)
  if (unconverted.length === 0) return messages('report_costs', { month })
  return messages('report_costs_without', { month, currencies: unconverted.map((one) => one.currency).join(', ') })
}
