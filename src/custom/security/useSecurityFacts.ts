import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import { settingQuery } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { securityEndpoints } from '../../schemas/endpoints/securityEndpoints.ts'
import type { SecurityFacts } from './checks/check.ts'

/** More records than any list has. */
const allRecords = 1_000_000
/** Rows that are read of the list of blocked addresses, which the server pages. */
const maxBlocks = 1_000

/** What the checks need, from the lists and settings that administrators may read; fetched anew at every visit. */
export function useSecurityFacts() {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: ['security facts'],
    gcTime: 0,
    queryFn: async (): Promise<SecurityFacts> => {
      const rowsOf = async (resource: string, perPage = allRecords) => {
        const pagination = { page: 1, perPage }
        const sort = { field: 'id', order: 'ASC' } as const
        return (await dataProvider.getList(resource, { pagination, sort, filter: {} })).data
      }
      const setting = await queryClient.ensureQueryData(settingQuery(dataProvider))
      const [users, servers, tasks, notifiers, blocks, server] = await Promise.all([
        rowsOf('user'),
        rowsOf('server'),
        rowsOf('cron'),
        rowsOf('notification'),
        rowsOf('waf', maxBlocks),
        setting.wheelhouse?.security_facts ? dataProvider.call(securityEndpoints.securityFacts) : undefined,
      ])
      const page = { protocol: window.location.protocol, hostname: window.location.hostname }
      return { now: Date.now(), page, setting, users, servers, tasks, notifiers, blocks, server }
    },
  })
}
