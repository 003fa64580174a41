import { useTranslate } from 'react-admin'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { PrivateIcon, PublicIcon } from '../../../components/icons.tsx'
import { useServerRow } from '../../../components/serverMetrics.ts'

/** Copy buttons for the private and the public note; a pale button has nothing to copy. */
export function NoteButtons() {
  const record = useServerRow()
  const translate = useTranslate()
  if (!record) return null
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      <CopyButton text={record.note} label={translate('resources.server.values.note_private')} Icon={PrivateIcon} />
      <CopyButton
        text={record.public_note}
        label={translate('resources.server.values.note_public')}
        Icon={PublicIcon}
      />
    </span>
  )
}
