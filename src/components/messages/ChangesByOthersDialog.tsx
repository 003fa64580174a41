import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { ChangeList, NamedChange } from '../../engine/history/ChangeEntry.tsx'
import { useNames } from '../../engine/kinds/reference/useNames.tsx'
import { ActionDialog, CloseFooter } from '../../engine/parts/ActionDialog.tsx'
import type { ChangesByOthers, ListDifference } from '../../lastVisit/changesByOthers.ts'

interface ChangesByOthersDialogProps {
  found: ChangesByOthers
  onClose: () => void
}

/** What others have changed since the last visit: field by field where the server records it, else record by record. */
export default function ChangesByOthersDialog({ found, onClose }: ChangesByOthersDialogProps) {
  const translate = useTranslate()
  return (
    <ActionDialog title={translate('app.changes_by_others.title')} onClose={onClose} width={760}>
      <DialogContent dividers>
        {found.kind === 'compared' ? (
          <DifferenceList differences={found.differences} />
        ) : (
          <>
            <ChangeList>
              {found.changes.map((change) => (
                <NamedChange key={change.id} change={change} onFollow={onClose} />
              ))}
            </ChangeList>
            {found.total > found.changes.length
              ? translate('app.changes_by_others.more', { count: found.total - found.changes.length })
              : null}
          </>
        )}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

/** Names in one line; others are only counted. */
const mostNames = 50

/** What is new, changed and gone in each list. What it was before is not known: the browser keeps no contents. */
function DifferenceList({ differences }: { differences: readonly ListDifference[] }) {
  const translate = useTranslate()
  return (
    <>
      <p>{translate('app.changes_by_others.compared')}</p>
      {differences.map((difference) => (
        <EntityDifference key={difference.entity} difference={difference} />
      ))}
    </>
  )
}

function EntityDifference({ difference }: { difference: ListDifference }) {
  const translate = useTranslate()
  const { entity, added, changed, removed } = difference
  const nameOf = useNames(entity, [...added, ...changed])
  const line = (key: string, ids: readonly string[], textOf: (id: string) => string) =>
    ids.length > 0 ? (
      <div>
        <dt>{translate(key)}</dt>
        <dd>
          {ids.slice(0, mostNames).map(textOf).join(', ')}
          {ids.length > mostNames
            ? ` ${translate('app.changes_by_others.more', { count: ids.length - mostNames })}`
            : null}
        </dd>
      </div>
    ) : null
  return (
    <section>
      <h3>{translate(`resources.${entity}.name`, { smart_count: 2 })}</h3>
      <Facts>
        {line('app.changes_by_others.added', added, nameOf)}
        {line('app.changes_by_others.changed', changed, nameOf)}
        {line('app.changes_by_others.removed', removed, (id) => `#${id}`)}
      </Facts>
    </section>
  )
}

const Facts = styled('dl')(({ theme }) => ({
  margin: 0,
  fontSize: 13,
  '& > div': { display: 'flex', gap: theme.spacing(2), padding: theme.spacing(0.5, 0) },
  '& dt': { flex: '0 0 90px', color: theme.vars.palette.text.secondary },
  '& dd': { margin: 0, minWidth: 0, overflowWrap: 'anywhere' },
}))
