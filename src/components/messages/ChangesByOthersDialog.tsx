import DialogContent from '@mui/material/DialogContent'
import { LinkBase, useTranslate } from 'react-admin'
import { ChangeEntry, ChangeList } from '../../engine/history/ChangeEntry.tsx'
import { useRecordAddress } from '../../engine/kinds/reference/recordAddress.ts'
import { CloseFooter } from '../../engine/parts/CloseFooter.tsx'
import type { ChangesByOthers } from '../../lastVisit/changesByOthers.ts'
import type { Change } from '../../schemas/endpoints/changeEndpoints.ts'
import { entityNamed } from '../../schemas/index.ts'
import { siteSetting } from '../../schemas/settings/siteSetting.ts'
import { ActionDialog } from '../ActionDialog.tsx'
import { DifferenceList } from './DifferenceList.tsx'

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

function NamedChange({ change, onFollow }: { change: Change; onFollow: () => void }) {
  const translate = useTranslate()
  const { entity: entityName, record_id: id, record_name, action } = change
  const entity = entityNamed(entityName) ?? siteSetting
  const address = useRecordAddress(entityName)({ id })
  const name = record_name || `#${id}`
  return (
    <ChangeEntry
      entity={entity}
      change={change}
      name={
        <>
          {translate(`resources.${entityName}.name`, { smart_count: 1, _: entityName })}{' '}
          {address && action !== 'deleted' ? (
            <LinkBase to={address} onClick={onFollow}>
              {name}
            </LinkBase>
          ) : (
            name
          )}
        </>
      }
    />
  )
}
