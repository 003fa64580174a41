import type { ServerRow } from '../../components/serverMetrics.ts'
import { contractEnd, daysUntil, pricePerMonth } from '../../domain/contract/contractTimes.ts'
import { derived, filterByState, filterByValue } from '../../engine/define/defineResource.ts'
import { type ConditionName, conditions } from '../../live/conditions.ts'
import { serverNow } from '../../live/serverClock.ts'
import { quotaPercent, trafficOf, trafficState } from '../../live/traffic.ts'
import { shownLater } from './shownLater.tsx'

const contractCells = () => import('./contract/contractCells.tsx')

/** Whole days until a contract ends, below 0 afterwards; `undefined` for one without an end. */
function daysToEnd({ contract }: ServerRow): number | undefined {
  const now = serverNow()
  const end = contract && contractEnd(contract, now)
  return end ? daysUntil(end, now) : undefined
}

function daysToReset({ id }: ServerRow): number | undefined {
  const traffic = trafficOf(id)
  return traffic && daysUntil(Date.parse(traffic.to), serverNow())
}

const monthly = ({ contract }: ServerRow) => (contract ? pricePerMonth(contract) : undefined)
const text = (value: number | undefined) => (value === undefined ? '' : String(value))
const own = { hidden: 'always', announced: 'contracts' } as const
const byTraffic = { ...own, sortState: trafficState }

/** Traffic of the present period, and what contracts say. A list asks for traffic while one of its columns is shown. */
export const contractColumns = [
  derived('quota', {
    Cell: shownLater(async () => ({ default: (await contractCells()).QuotaMeter })),
    sort: ({ id }: ServerRow) => quotaPercent(trafficOf(id)) ?? trafficOf(id)?.used,
    file: [
      { unit: 'B', text: ({ id }: ServerRow) => text(trafficOf(id)?.used) },
      {
        heading: 'app.contract.fields.quota_bytes',
        unit: 'B',
        text: (row: ServerRow) => text(row.contract?.quota_bytes),
      },
    ],
    width: 140,
    ...byTraffic,
  }),
  derived('forecast', {
    Cell: shownLater(async () => ({ default: (await contractCells()).Forecast })),
    sort: ({ id }: ServerRow) => trafficOf(id)?.forecast,
    file: [{ unit: 'B', text: ({ id }: ServerRow) => text(trafficOf(id)?.forecast) }],
    align: 'end',
    ...byTraffic,
  }),
  derived('reset_days', {
    Cell: shownLater(async () => ({ default: (await contractCells()).DaysToReset })),
    sort: daysToReset,
    file: (row: ServerRow) => text(daysToReset(row)),
    align: 'end',
    ...byTraffic,
  }),
  derived('end_days', {
    Cell: shownLater(async () => ({ default: (await contractCells()).DaysToEnd })),
    sort: daysToEnd,
    file: (row: ServerRow) => text(daysToEnd(row)),
    align: 'end',
    ...own,
  }),
  derived('monthly_price', {
    Cell: shownLater(async () => ({ default: (await contractCells()).MonthlyPrice })),
    sort: monthly,
    file: (row: ServerRow) => {
      const price = monthly(row)
      return price === undefined ? '' : `${price.toFixed(2)} ${row.contract?.currency ?? ''}`.trim()
    },
    align: 'end',
    ...own,
  }),
]

/** From how many percent of a quota a filter finds a server. */
const quotaFrom: Readonly<Record<string, number>> = { over_80: 80, over_100: 100 }
/** Within how many days a contract ends that a filter finds. */
const endsWithin: Readonly<Record<string, number>> = { ended: -1, week: 7, month: 30 }

export const contractFilters = [
  filterByState(
    'quota',
    { over_80: 'app.contract.filters.over_80', over_100: 'app.contract.filters.over_100' },
    { matches: ({ id }: ServerRow, state) => (quotaPercent(trafficOf(id)) ?? 0) >= (quotaFrom[state] ?? 0) },
  ),
  filterByState(
    'end_days',
    { ended: 'app.contract.filters.ended', week: 'app.contract.filters.week', month: 'app.contract.filters.month' },
    {
      matches: (row: ServerRow, state) => {
        const days = daysToEnd(row)
        return days !== undefined && days <= (endsWithin[state] ?? 0)
      },
    },
  ),
  filterByValue('provider', ({ contract }: ServerRow) => (contract?.provider ? [contract.provider] : [])),
]

const conditionCells = () => import('./conditions/conditionCells.tsx')

const announced = 'inspect'
const names = ['failed_units', 'containers_down', 'updates', 'reboot_needed'] as const

/** Milliseconds: the server itself asks once a minute at most. */
const askedEveryMs = 60_000
const askedAt: Partial<Record<ConditionName, number>> = {}

/** How many there are; asks the server now and then, while somebody wants to know. */
function conditionOf(id: number | string, name: ConditionName): number | undefined {
  const now = performance.now()
  if (!(now - Number(askedAt[name]) <= askedEveryMs)) {
    askedAt[name] = now
    // Without an answer, what is known stays, and the next look asks again.
    conditionCells()
      .then(({ askConditions }) => askConditions(name))
      .catch(() => {})
  }
  return conditions.of(id)?.[name]
}

export const conditionColumns = names.map((name) =>
  derived(name, {
    Cell: shownLater(async () => ({ default: (await conditionCells())[name] })),
    sort: ({ id }: ServerRow) => conditionOf(id, name),
    file: ({ id }: ServerRow) => String(conditionOf(id, name) ?? ''),
    align: 'end',
    hidden: 'always',
    announced,
    sortState: conditions.state,
  }),
)

/** Servers with any of them. They look anew with each frame of the live stream, so that they know what has come meanwhile. */
export const conditionFilters = names.map((name) =>
  filterByState(
    name,
    { some: 'ra.boolean.true' },
    { needs: ['live'], announced, matches: ({ id }: ServerRow) => Number(conditionOf(id, name)) > 0 },
  ),
)
