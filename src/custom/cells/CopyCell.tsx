import { styled } from '@mui/material/styles'
import { useRecordContext } from 'react-admin'
import { CopyButton } from './CopyButton.tsx'

/** A text in mono with a copy button; a long one ends in an ellipsis. */
export function CopyCell({ source }: { source: string }) {
  const record = useRecordContext()
  const text = record?.[source] as string | undefined
  if (!text) return null
  return (
    <Frame>
      <code title={text}>{text}</code>
      <CopyButton text={text} />
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
