import Alert from '@mui/material/Alert'
import { useTranslate } from 'react-admin'
import { MoreNames } from '../parts/MoreNames.tsx'
import { useUsedBy } from './useUsedBy.ts'

const namesShown = 5

/** Lists what still refers to records that are about to be deleted; draws nothing when nothing does. */
export function UsedBy({ entity, ids }: { entity: string; ids: readonly (number | string)[] }) {
  const translate = useTranslate()
  const { uses: ofRecords, singletons, isPartial } = useUsedBy(entity, ids)
  const uses = [...ofRecords, ...singletons.map((use) => ({ ...use, names: use.names.map((key) => translate(key)) }))]
  if (uses.length === 0 && !isPartial) return null
  return (
    <Alert severity="warning" sx={{ marginTop: 2 }}>
      {uses.length > 0 ? (
        <>
          {translate('app.confirm.used_by')}
          <ul style={{ margin: '4px 0 0', paddingLeft: 20, overflowWrap: 'anywhere' }}>
            {uses.map(({ title, names }) => {
              const more = names.length - namesShown
              const label = translate(title, { smart_count: names.length })
              return (
                <li key={title}>
                  {translate('app.confirm.used_entry', { entity: label, names: names.slice(0, namesShown).join(', ') })}{' '}
                  {more > 0 ? (
                    <MoreNames label={label} names={() => names.map((name, id) => ({ id, name }))} count={more} />
                  ) : null}
                </li>
              )
            })}
          </ul>
        </>
      ) : null}
      {isPartial ? <div>{translate('app.confirm.usage_unknown')}</div> : null}
    </Alert>
  )
}
