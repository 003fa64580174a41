import { useMemo } from 'react'
import { useGetList } from 'react-admin'
import type { ChartBound } from '../../../components/charts/plot/bounds.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { ServerRow } from '../../../components/serverMetrics.ts'
import { useIdentity } from '../../../engine/parts/identity.tsx'
import type { Row } from '../../../records/queryRows.ts'
import { everyRowByName } from '../../../records/wholeList.ts'
import { alertRule } from '../../../schemas/alertRule.ts'
import { allows } from '../../../schemas/define/access.ts'
import { serverBounds } from './serverBounds.ts'

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
          const shown = names.slice(0, maxNames).join(', ')
          return more > 0 ? `${shown}, ${translate('app.list.more', { count: more })}` : shown
        },
        sum: (name) => translate('app.charts.bound.sum', { name }),
      }),
    [rules, id, host, translate],
  )
}
