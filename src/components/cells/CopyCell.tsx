import { useRecordContext, useResourceContext, useTranslate } from 'react-admin'
import { CopyButton } from '../CopyButton.tsx'
import '../theme/cells.css'

/** A monospaced text with a copy button; long texts are cut with an ellipsis. */
export function CopyCell({ source }: { source: string }) {
  const record = useRecordContext()
  const resource = useResourceContext()
  const translate = useTranslate()
  const text = record?.[source] as string | undefined
  if (!text) return null
  const field = translate(`resources.${resource}.fields.${source}`)
  return (
    <span className="cell-copy">
      <code title={text}>{text}</code>
      <CopyButton text={text} label={translate('app.action.copy_named', { name: field })} />
    </span>
  )
}

export const ServerUuid = () => <CopyCell source="uuid" />
