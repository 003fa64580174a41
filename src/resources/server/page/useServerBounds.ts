import { useMemo } from 'react'
import { useGetList } from 'react-admin'
import { isolate } from '../../../../i18n/isolate.ts'
import type { ChartBound } from '../../../components/charts/plot/bounds.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { ServerRow } from '../../../components/serverMetrics.ts'
import { recordedMetricsOf } from '../../../domain/alerts/recordedMetrics.ts'
import { useIdentity } from '../../../engine/parts/identity.tsx'
import type { Row } from '../../../records/queryRows.ts'
import { everyRowByName } from '../../../records/wholeList.ts'
import { alertRule } from '../../../schemas/alertRule.ts'
import { allows } from '../../../schemas/define/access.ts'
import { isWatched } from '../../service/page/coverage.ts'

const noRules: readonly Row<typeof alertRule>[] = []
/** Names before the others are only counted. */
const maxNames = 3

/** The bounds of the rules that watch a server, of all its charts; none for those who may not list rules. */
export function useServerBounds(server: ServerRow): readonly ChartBound[] {
  const { translate } = useLanguage()
  const { identity } = useIdentity()
  const { data: rules = noRules } = useGetList<Row<typeof alertRule>>('alert-rule', everyRowByName, {
    enabled: allows(identity?.role, alertRule.access.list),
  })
  const { id, host } = server
  return useMemo(
    () =>
      serverBounds(rules, Number(id), host ?? {}, {
        names: (names) => {
          const more = names.length - maxNames
          const shown = names.slice(0, maxNames).map(isolate).join(', ')
          return more > 0 ? `${shown}, ${translate('app.list.more', { count: more })}` : shown
        },
        sum: (name) => translate('app.charts.bound.sum', { name }),
      }),
    [rules, id, host, translate],
  )
}

type Rule = Pick<Row<typeof alertRule>, 'name' | 'enable' | 'rules'>
type Host = Pick<NonNullable<ServerRow['host']>, 'mem_total' | 'swap_total' | 'disk_total'>

/** Of a chart, on each side: more lines than these could not be told apart. The tightest are shown. */
const maxBounds = 4

/** The sizes of which rules watch a share, while charts show how much is in use. */
const totals: Readonly<Record<string, keyof Host>> = { memory: 'mem_total', swap: 'swap_total', disk: 'disk_total' }

/** How the names of several rules with the same bound, and of one that watches a sum, are written. */
interface BoundTexts {
  names: (names: readonly string[]) => string
  sum: (name: string) => string
}

/**
 * The bounds of the enabled rules that watch a server, in the units of its charts: percent of what is in use become
 * bytes. Traffic of a cycle has none: no chart shows it.
 */
export function serverBounds(rules: readonly Rule[], id: number, host: Host, texts: BoundTexts): ChartBound[] {
  const found = new Map<string, Omit<ChartBound, 'of'> & { names: string[] }>()
  for (const rule of rules) {
    if (!rule.enable || !isWatched(rule, id)) continue
    for (const part of rule.rules ?? []) {
      const type = String(part.type)
      const about = recordedMetricsOf([type])
      if (type === 'offline' || about.length === 0) continue
      const name = about.length > 1 ? texts.sum(rule.name ?? '') : (rule.name ?? '')
      for (const side of ['max', 'min'] as const) {
        const value = inChartUnit(Number(part[side]), type, host)
        if (value === undefined) continue
        const key = `${about.join()} ${side} ${value}`
        const same = found.get(key) ?? { value, side, about, names: [] }
        found.set(key, { ...same, names: [...new Set([...same.names, name])] })
      }
    }
  }
  return tightest([...found.values()].map(({ names, ...bound }) => ({ ...bound, of: texts.names(names) })))
}

/** `undefined` for none, and for a share of what is not known. */
function inChartUnit(bound: number, type: string, host: Host): number | undefined {
  if (!(bound > 0)) return undefined
  const total = totals[type]
  if (total === undefined) return bound
  const size = host[total]
  return size ? (size * bound) / 100 : undefined
}

/** Upper bounds first, the lowest of them first; then lower ones, the highest first. */
function tightest(bounds: readonly ChartBound[]): ChartBound[] {
  const ordered = bounds.toSorted((one, other) => {
    if (one.side !== other.side) return one.side === 'max' ? -1 : 1
    return one.side === 'max' ? one.value - other.value : other.value - one.value
  })
  const counts = new Map<string, number>()
  return ordered.filter(({ side, about }) => {
    const key = `${side} ${about.join()}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return (counts.get(key) as number) <= maxBounds
  })
}
