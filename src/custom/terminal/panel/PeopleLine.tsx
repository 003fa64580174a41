import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import type { TerminalState } from '../../../schemas/frames/terminal.ts'

/** Who is in a terminal, who typed last, and whether it is recorded. Nothing for one that nobody else sees or keeps. */
export function PeopleLine({ terminal, children }: { terminal: TerminalState; children?: React.ReactNode }) {
  const translate = useTranslate()
  const { people, share, recording } = terminal
  const isRecorded = recording === 'on' || recording === 'always'
  if (!share && !isRecorded && recording !== 'ended') return null
  const names = people.map(({ name, role, typed }) => {
    const words = [
      role === 'owner' && translate('app.terminal.share.owner'),
      typed && people.length > 1 && translate('app.terminal.share.typed'),
    ].filter(Boolean)
    return words.length > 0 ? `${name} (${words.join(', ')})` : name
  })
  return (
    <Line role="status">
      {isRecorded ? <strong>● {translate('app.terminal.record.on')}</strong> : null}
      {recording === 'ended' ? <strong>{translate('app.terminal.record.cut')}</strong> : null}
      {share ? <span>{translate('app.terminal.share.here', { names: names.join(', ') })}</span> : null}
      {children}
    </Line>
  )
}

const Line = styled('div')(({ theme }) => ({
  display: 'flex',
  flex: 'none',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(0, 2),
  padding: theme.spacing(0.25, 1.5),
  minHeight: 28,
  fontSize: 13,
  overflowWrap: 'anywhere',
  color: theme.vars.palette.text.secondary,
  background: theme.vars.palette.sunken,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > strong': { fontWeight: 600, color: theme.vars.palette.error.main },
}))
