import { useBasename, useTranslate } from 'react-admin'
import { IconLink } from '../../resources/engine/IconAction.tsx'
import { useServerRow } from './figures.ts'
import { TerminalIcon } from './icons.tsx'

/** Opens a terminal on the server, in a tab of its own. */
export function TerminalLink() {
  const record = useServerRow()
  const basename = useBasename()
  const translate = useTranslate()
  if (!record) return null
  const label = translate('app.terminal.open_on', { name: record.name || `#${record.id}` })
  return (
    <IconLink to={`${basename}/terminal/${record.id}`} target="_blank" rel="noopener" aria-label={label} title={label}>
      <TerminalIcon />
    </IconLink>
  )
}
