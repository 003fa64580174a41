import { useMemo } from 'react'
import { type RaRecord, useGetList } from 'react-admin'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { everyRowByName } from '../../records/wholeList.ts'
import { allows } from '../../schemas/define/access.ts'
import { service } from '../../schemas/service.ts'
import { isChecked } from '../service/page/coverage.ts'

/** The ids of the services that are checked from a server of the group; none for those who may not list services. */
export function useGroupServices(group: RaRecord): ReadonlySet<number> {
  const { identity } = useIdentity()
  const { data } = useGetList(service.name, everyRowByName, { enabled: allows(identity?.role, service.access.list) })
  return useMemo(() => {
    const members: readonly number[] = group.servers ?? []
    const checked = (data ?? []).filter((record) => members.some((server) => isChecked(record, server)))
    return new Set(checked.map(({ id }) => Number(id)))
  }, [data, group.servers])
}
