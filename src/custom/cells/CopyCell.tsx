import { styled } from '@mui/material/styles'
import { useRecordContext, useResourceContext, useTranslate } from 'react-admin'
import { CopyButton } from './CopyButton.tsx'

/** A text in mono with a copy button; a long one ends in an ellipsis. */
export function CopyCell({ source }: { source: string }) {
  const record = useRecordContext()
  const resource = useResourceContext()
  const translate = useTranslate()
  const text = record?.[source] as string | undefined
  if (!text) return null
  const field = translate(`resources.${resource}.fields.${source}`)
  return (
    <Frame>
      <code title={text}>{text}</code>
      <CopyButton text={text} label={translate('app.action.copy_named', { name: field })} />
    </Frame>
  )
}

export const ServerUuid = () => <CopyCell source="uuid" />

const Frame = styled('span')({
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  '& code': { maxWidth: '14ch', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
})
