import { useQuery } from '@tanstack/react-query'
import { useTranslate } from 'react-admin'
import { call } from '../../../api/apiClient.ts'
import { formatNumber } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { useServerRow } from '../../../components/serverMetrics.ts'
import { type ConditionName, conditions } from '../../../live/conditions.ts'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import '../../../components/theme/cells.css'

/** Milliseconds: the server itself asks once a minute at most. */
const refreshInterval = 60_000
/** The first answers come from the machines meanwhile. */
const [firstLooks, firstInterval] = [3, 10_000]

/** Has servers asked for a column. @returns how many servers have said something */
export async function askConditions(column: ConditionName): Promise<number> {
  const said = await call(inspectEndpoints.conditions, { column })
  conditions.set(said)
  return said.length
}

const None = () => <span className="none">–</span>

/** A number; none where nothing is known. */
const countCell = (name: ConditionName) =>
  function Count() {
    const { locale } = useLanguage()
    const count = useCondition(name)
    return count === undefined ? <None /> : formatNumber(count, locale)
  }

function useCondition(name: ConditionName): number | undefined {
  // One request for all servers.
  useQuery({
    queryKey: ['server', 'conditions', name],
    queryFn: () => askConditions(name),
    staleTime: refreshInterval / 2,
    refetchInterval: ({ state }) => (state.dataUpdateCount < firstLooks ? firstInterval : refreshInterval),
  })
  return conditions.use(useServerRow()?.id)?.[name]
}

function Reboot() {
  const translate = useTranslate()
  const count = useCondition('reboot_needed')
  return count === undefined ? <None /> : translate(count > 0 ? 'ra.boolean.true' : 'ra.boolean.false')
}

export const failed_units = countCell('failed_units')
export const containers_down = countCell('containers_down')
export const updates = countCell('updates')
export const reboot_needed = Reboot
