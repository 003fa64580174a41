import type { Cycle } from '../../src/domain/alerts/calendar.ts'
import { bytesText } from '../../src/domain/contract/bytesText.ts'
import { contractEnd, daysUntil } from '../../src/domain/contract/contractTimes.ts'
import { dayIn, dayText } from '../../src/domain/contract/trafficPeriods.ts'
import type { ContractTrouble } from '../../src/schemas/endpoints/contractEndpoints.ts'
import type { TrafficOfPeriod } from '../../src/schemas/endpoints/trafficEndpoints.ts'
import type { Contract } from '../../src/schemas/machines/contract.ts'
import { server } from '../../src/schemas/server.ts'
import { type ContractSetting, contractSetting, contractSettings } from '../../src/schemas/settings/contractSettings.ts'
import { unrecorded } from '../changes/changeOrigin.ts'
import { oneAtATime } from '../concurrency/repeat.ts'
import { leaveTurn, takeTurns } from '../concurrency/takeTurns.ts'
import type { Store } from '../db/store.ts'
import { keyedTable } from '../db/writeBehind.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import { type Silences, siteOwner } from '../maintenance/silence.ts'
import type { Notifications } from '../notifications/notifications.ts'
import { consoleLink, formatNumber, messagesOf, spanText } from '../site/messages.ts'
import { timestamp } from '../wire/apiCall.ts'
import type { CountedTraffic } from './trafficPlugin.ts'

/** Tells a notifier group of used traffic, of forecasts above the quota, and of contracts that end. */
export interface ContractNotices {
  /** Sends what is due. The timer calls it every few minutes; one at a time. */
  check(): Promise<void>
  /** Deletes what was told of these servers. */
  forget(serverIds: readonly number[]): void
}

interface Services {
  store: Store
  /** The notifier group; 0: nobody is told. */
  groupId: () => number
  traffic: Pick<CountedTraffic, 'inPeriod' | 'countedSince'>
  silences: Pick<Silences, 'ofServer'>
  notifications: Pick<Notifications, 'send' | 'save' | 'reaches'>
  /** The address people use. Without it, there is no link. */
  publicUrl?: URL
  /** Milliseconds since 1970. */
  now: () => number
  /** For contracts that name none. */
  zone: () => string
}

/** What was told of a server, so that each is told once, over restarts too. */
interface Told {
  server_id: number
  /** When the period began that it is about, in milliseconds since 1970. */
  period: number
  /** The quota that it is about: of another one, everything may be told again. */
  quota: number
  /** The highest threshold of `usedPercents`; 0 for none. */
  percent: number
  /** Whether it was told that the forecast is above the quota. */
  forecast: boolean
  /** The end of contract that it is about, in milliseconds since 1970; 0 for none. */
  ends_at: number
  /** The least of `daysBefore`; 0 for none. */
  days: number
}

/** Shares of a quota, in percent. */
const usedPercents = [80, 90, 100] as const
/** Days before a contract ends. */
const daysBefore = [30, 7, 1] as const
/** Milliseconds of counting after which a forecast is told: it may be that of a nightly backup before. */
const forecastAfterMs = 86_400_000
/** Of more servers at once, as after the first start, one message tells, with these many lines. */
const maxLines = 10
const dayMs = 86_400_000

const nothingTold = { period: 0, quota: 0, percent: 0, forecast: false, ends_at: 0, days: 0 }

export function createContractNotices(services: Services): ContractNotices {
  const { store, groupId, traffic: counted, silences, notifications, publicUrl, now, zone } = services
  const servers = entityTable(store, server)
  const messages = messagesOf(store)
  const { saved, save } = keyedTable<Told & { id: number }, number>(
    store,
    {
      name: 'told_contract',
      columns: [
        { name: 'server_id', type: 'INTEGER', unique: true },
        { name: 'period', type: 'INTEGER' },
        { name: 'quota', type: 'INTEGER' },
        { name: 'percent', type: 'INTEGER' },
        { name: 'forecast', type: 'FLAG' },
        { name: 'ends_at', type: 'INTEGER' },
        { name: 'days', type: 'INTEGER' },
      ],
    },
    ({ server_id }) => server_id,
  )

  const dayOf = (at: number, { zone: own }: Contract) => dayText(dayIn(own || zone(), at))

  /** What there is to tell of the traffic of a server, and what has been told then. */
  function ofTraffic(
    row: ServerRow,
    contract: Contract,
    told: Told,
    trafficOf: (row: ServerRow) => TrafficOfPeriod,
  ): { text?: string; told: Told } {
    if (contract.quota_bytes === 0) return { told }
    const traffic = trafficOf(row)
    const { used, quota_bytes, forecast } = traffic
    const period: Cycle = { from: Date.parse(traffic.from), to: Date.parse(traffic.to) }
    const isSame = told.period === period.from && told.quota === quota_bytes
    const before: Told = isSame
      ? told
      : { ...told, period: period.from, quota: quota_bytes, percent: 0, forecast: false }
    const percent = usedPercents.findLast((one) => used * 100 >= one * quota_bytes) ?? 0
    const locale = messages.locale()
    const bytes = (value: number) => bytesText(value, locale, quota_bytes)
    /** Made for those that are told: few of many. */
    const values = () => ({
      server: row.name,
      used: bytes(used),
      quota: bytes(quota_bytes),
      dates: `${dayOf(period.from, contract)} – ${dayOf(period.to - 1, contract)}`,
    })
    if (percent > before.percent) {
      const share = formatNumber(Math.floor((used / quota_bytes) * 100) / 100, 'percent', locale)
      const text = messages('traffic_used', { ...values(), percent: share })
      // Whoever knows that all is used up needs no forecast.
      return { text, told: { ...before, percent, forecast: before.forecast || percent === 100 } }
    }
    if (before.forecast || before.percent === 100) return { told: before }
    if (forecast === undefined || forecast <= quota_bytes || isEarly(row, traffic)) return { told: before }
    const text = messages('traffic_forecast', { ...values(), forecast: bytes(forecast) })
    return { text, told: { ...before, forecast: true } }
  }

  function isEarly(row: ServerRow, { from, correction }: TrafficOfPeriod): boolean {
    const since = (correction ? undefined : counted.countedSince(row)) ?? 0
    return now() - Math.max(since, Date.parse(from)) < forecastAfterMs
  }

  /** The same of the end of its contract. One that renews itself goes on: the report has it. */
  function ofEnd(row: ServerRow, contract: Contract, told: Told): { text?: string; told: Told } {
    const end = contractEnd(contract, now())
    if (end === undefined || contract.renews) return { told }
    const before: Told = told.ends_at === end ? told : { ...told, ends_at: end, days: 0 }
    const left = daysUntil(end, now())
    const days = daysBefore.findLast((one) => left <= one)
    if (left <= 0 || days === undefined || (before.days > 0 && before.days <= days)) return { told: before }
    const name = contract.provider === '' ? row.name : `${row.name} (${contract.provider})`
    const time = spanText(left * dayMs, messages.locale())
    const text = messages('contract_ends', { server: name, end: dayOf(end, contract), time })
    return { text, told: { ...before, days } }
  }

  /** One message for each server, or one for many. */
  function send(all: readonly { row: ServerRow; texts: readonly string[] }[]): void {
    if (all.length <= maxLines) {
      for (const { row, texts } of all) {
        const link = consoleLink(publicUrl, `server/${row.id}/overview`)
        const message = [...texts, link].filter(Boolean).join('\n')
        notifications.send({ groupId: groupId(), message, serverId: row.id })
      }
      return
    }
    const texts = all.flatMap((one) => one.texts)
    const first = texts.slice(0, maxLines)
    const more = messages('and_more', { more: texts.length - maxLines })
    const message = [...first, more, consoleLink(publicUrl, 'server-group/costs')].filter(Boolean).join('\n')
    notifications.send({ groupId: groupId(), message })
  }

  async function check(): Promise<void> {
    if (!notifications.reaches(groupId())) return
    const turn = takeTurns(leaveTurn)
    const trafficOf = counted.inPeriod(0)
    const found: { row: ServerRow; texts: string[]; told: Told }[] = []
    for (const row of servers.all()) {
      const { contract } = row
      // Told once the silence is over, if it still holds then.
      if (!contract || silences.ofServer(row.id, siteOwner)) continue
      const before: Told = saved().get(row.id) ?? { server_id: row.id, ...nothingTold }
      const traffic = ofTraffic(row, contract, before, trafficOf)
      const end = ofEnd(row, contract, traffic.told)
      const texts = [traffic.text, end.text].filter((text) => text !== undefined)
      if (texts.length > 0) found.push({ row, texts, told: end.told })
      await turn()
    }
    // In the meantime servers may have been deleted, and the group may have lost its last notifier.
    const due = found.filter(({ row }) => servers.get(row.id))
    if (due.length === 0 || !notifications.reaches(groupId())) return
    // What is told is on the disk together with the message, or neither is.
    store.transaction(() => {
      send(due)
      notifications.save()
      save(due.map(({ told }) => [told.server_id, told]))
    })
  }

  return {
    check: oneAtATime(check),
    forget(serverIds) {
      save(serverIds.filter((id) => saved().has(id)).map((id) => [id, undefined]))
    },
  }
}

interface TroubleServices {
  store: Store
  traffic: Pick<CountedTraffic, 'inPeriod'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** Milliseconds for which what was found is good for everybody who asks. */
const freshMs = 60_000
/** Milliseconds before and after its end in which a contract is trouble. */
export const aroundEndMs = 7 * 86_400_000

/** The servers whose quota is used up, and whose contract ends or has ended in these days. */
export interface ContractTroubles {
  find(): Promise<readonly ContractTrouble[]>
  /** What was found last. */
  known(): readonly ContractTrouble[]
}

export function createContractTroubles({ store, traffic, now }: TroubleServices): ContractTroubles {
  const servers = entityTable(store, server)
  let known: readonly ContractTrouble[] = []
  let found: { at: number; troubles: Promise<readonly ContractTrouble[]> } | undefined

  async function find(): Promise<ContractTrouble[]> {
    const troubles: ContractTrouble[] = []
    const turn = takeTurns()
    const trafficOf = traffic.inPeriod(0)
    for (const row of servers.all()) {
      const { contract } = row
      if (!contract) continue
      const trouble: ContractTrouble = { server_id: row.id }
      if (contract.quota_bytes > 0) {
        const { used, quota_bytes } = trafficOf(row)
        if (used >= quota_bytes) trouble.percent = Math.floor((used / quota_bytes) * 100)
      }
      const end = contract.renews ? undefined : contractEnd(contract, now())
      if (end !== undefined && Math.abs(end - now()) <= aroundEndMs) trouble.ends_at = timestamp(end)
      if (trouble.percent !== undefined || trouble.ends_at !== undefined) troubles.push(trouble)
      await turn()
    }
    known = troubles
    return troubles
  }

  function findOnce(): Promise<readonly ContractTrouble[]> {
    if (!found || Math.abs(now() - found.at) >= freshMs) {
      const troubles = find()
      found = { at: now(), troubles }
      // One that failed is not kept.
      troubles.catch(() => {
        if (found?.troubles === troubles) found = undefined
      })
    }
    return found.troubles
  }

  return { find: findOnce, known: () => known }
}

/** Where it was kept before it was a record. */
const earlierKey = 'contract_setting'

/** What administrators set for the contracts of all servers; the record is made where it is missing. */
export function openContractSetting(store: Store): { id: number; read: () => ContractSetting } {
  const table = entityTable(store, contractSettings)
  const made = table.all()[0]?.id ?? store.transaction(insert)

  function insert(): number {
    const earlier = contractSettings.form.safeParse(store.value(earlierKey) ?? {})
    const form = earlier.data ?? contractSettings.form.parse({})
    const now = timestamp()
    const id = unrecorded(() => table.insert({ ...form, user_id: 0, created_at: now, updated_at: now }))
    store.setValue(earlierKey, undefined)
    return id
  }

  return { id: made, read: () => contractSetting.parse(table.get(made) ?? {}) }
}
