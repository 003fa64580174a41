import type { ServerRow } from '../../../components/serverMetrics.ts'
import { derived, filterByState } from '../../../engine/define/defineResource.ts'
import { type ConditionName, conditions } from '../../../live/conditions.ts'
import { shownLater } from '../shownLater.tsx'

const cells = () => import('./conditionCells.tsx')

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
    cells()
      .then(({ askConditions }) => askConditions(name))
      .catch(() => {})
  }
  return conditions.of(id)?.[name]
}

export const conditionColumns = names.map((name) =>
  derived(name, {
    Cell: shownLater(async () => ({ default: (await cells())[name] })),
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
