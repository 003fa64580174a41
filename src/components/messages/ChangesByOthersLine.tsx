import Button from '@mui/material/Button'
import { Suspense, useState } from 'react'
import { useLocale, useTranslate } from 'react-admin'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { type ChangesByOthers, dismissChangesByOthers } from '../../lastVisit/changesByOthers.ts'

const ChangesByOthersDialog = lazyPart(() => import('./ChangesByOthersDialog.tsx'))

/** One quiet line: of how many records others have changed something since the last visit. It opens the list. */
export default function ChangesByOthersLine({ found }: { found: ChangesByOthers }) {
  const translate = useTranslate()
  const locale = useLocale()
  const [isOpen, setOpen] = useState(false)
  const counted = [...countsOf(found)].map(([entity, count]) =>
    translate(`resources.${entity}.counted`, { smart_count: count }),
  )
  const what = new Intl.ListFormat(locale).format(counted)
  return (
    <>
      {translate(found.kind === 'recorded' ? 'app.changes_by_others.by_others' : 'app.changes_by_others.different', {
        what,
      })}
      <Button size="small" onClick={() => setOpen(true)}>
        {translate('app.changes_by_others.show')}
      </Button>
      <Button size="small" onClick={dismissChangesByOthers}>
        {translate('app.changes_by_others.dismiss')}
      </Button>
      {isOpen ? (
        <Suspense>
          <ChangesByOthersDialog found={found} onClose={dismissChangesByOthers} />
        </Suspense>
      ) : null}
    </>
  )
}

/** The number of records by entity. */
function countsOf(found: ChangesByOthers): Map<string, number> {
  if (found.kind === 'compared') {
    return new Map(
      found.differences.map(({ entity, added, changed, removed }) => [
        entity,
        added.length + changed.length + removed.length,
      ]),
    )
  }
  const byEntity = Map.groupBy(found.changes, ({ entity }) => entity)
  return new Map(
    [...byEntity].map(([entity, changes]) => [entity, new Set(changes.map(({ record_id }) => record_id)).size]),
  )
}
