import Button from '@mui/material/Button'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { Panel } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { ChangeList } from '../../engine/history/ChangeEntry.tsx'
import { NamedChange } from '../../engine/history/NamedChange.tsx'
import { PendingData } from '../../engine/parts/PendingData.tsx'
import { changeEndpoints } from '../../schemas/endpoints/changeEndpoints.ts'

/** Changes that are asked for at first, and with each press of the button below them. */
const pageSize = 25

/**
 * What everybody has changed, the latest first, as far as this person may see it: the server decides. For servers that
 * announce `wheelhouse.changes`.
 */
export function EverybodysChanges() {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [limit, setLimit] = useState(pageSize)
  const { data, error, refetch } = useQuery({
    queryKey: ['changes', 'everybody', limit],
    queryFn: () => call(changeEndpoints.changes, { limit }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
  const changes = data?.value ?? []
  const total = data?.pagination.total ?? 0
  return (
    <Panel title={translate('app.changes.everybody')} hint={translate('app.changes.everybody_hint')}>
      <PendingData data={data} error={error} onRetry={refetch} />
      {data && total === 0 ? <p>{translate('app.changes.none')}</p> : null}
      <ChangeList>
        {changes.map((change) => (
          <NamedChange key={change.id} change={change} />
        ))}
      </ChangeList>
      {changes.length < total ? (
        <Button onClick={() => setLimit(limit + pageSize)}>
          {translate('app.changes.more', { shown: changes.length, total })}
        </Button>
      ) : null}
    </Panel>
  )
}
