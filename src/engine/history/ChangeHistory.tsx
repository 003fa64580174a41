import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import type { Values } from '../../schemas/define/values.ts'
import { type Change, changeEndpoints } from '../../schemas/endpoints/changeEndpoints.ts'
import { changesToVersion } from '../../undo/restoreVersion.ts'
import { PendingData } from '../parts/ActionDialog.tsx'
import { ChangeEntry, ChangeList } from './ChangeEntry.tsx'

/** Changes that are asked for at first, and with each press of the button below them. */
const pageSize = 25

interface ChangeHistoryProps {
  entity: Entity
  id: number
  /** The record as it was opened. */
  now: Values
  /**
   * Called when somebody wants a version back.
   * @param version the fields that it would change
   * @param at the time of the version; RFC 3339
   */
  onRestore: (version: Version, at: string) => void
}

/** Who changed what in a record, the latest first, with a way back to each version. */
export function ChangeHistory({ entity, id, now, onRestore }: ChangeHistoryProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [limit, setLimit] = useState(pageSize)
  const { data, error, refetch } = useQuery({
    queryKey: ['changes', entity.name, id, limit],
    queryFn: () => call(changeEndpoints.changes, { entity: entity.name, id, limit }),
    placeholderData: keepPreviousData,
  })
  const changes = data?.value ?? []
  const total = data?.pagination.total ?? 0
  return (
    <div aria-busy={!data && !error}>
      <PendingData data={data} error={error} onRetry={refetch} />
      {data && total === 0 ? <Alert severity="info">{translate('app.changes.none')}</Alert> : null}
      <ChangeList>
        {changes.map((change, index) => {
          const { values, lost } = versionAt(entity, changes, index)
          const version = { values: changesToVersion(entity, now, values), lost }
          return (
            <ChangeEntry key={change.id} entity={entity} change={change}>
              {index === 0 ? (
                <Current>{translate('app.changes.current')}</Current>
              ) : Object.keys(version.values).length > 0 ? (
                <Button size="small" onClick={() => onRestore(version, change.at)}>
                  {translate('app.changes.restore')}
                </Button>
              ) : null}
            </ChangeEntry>
          )
        })}
      </ChangeList>
      {changes.length < total ? (
        <Button onClick={() => setLimit(limit + pageSize)}>
          {translate('app.changes.more', { shown: changes.length, total })}
        </Button>
      ) : null}
    </div>
  )
}

const Current = styled('small')(({ theme }) => ({ color: theme.vars.palette.text.secondary }))

/** What a record held after one of its changes. */
export interface Version {
  /** The fields that have been changed since, with their values of that time; `undefined` for those that were empty. */
  values: Values
  /** The fields that have been changed since, and whose content is not kept: secrets, and what was too long. */
  lost: readonly string[]
}

/**
 * The version of a record that one of its changes made.
 * @param changes all of the record's changes from the latest one on, at least until that one
 * @param index of the change in them
 */
export function versionAt(entity: Entity, changes: readonly Change[], index: number): Version {
  const values = new Map<string, unknown>()
  const lost = new Set<string>()
  // From the latest to the earliest: what the earliest one found is what the version held.
  for (const { fields } of changes.slice(0, index)) {
    for (const { name, from, secret, cut } of fields) {
      if (!(name in entity.form.shape)) continue
      values.delete(name)
      lost.delete(name)
      if (secret || cut) lost.add(name)
      else values.set(name, from ?? undefined)
    }
  }
  return { values: Object.fromEntries(values), lost: [...lost] }
}
