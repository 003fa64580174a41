import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import type { SessionState } from '../session/terminalSession.ts'

/** How a session is doing: a dot, and a word for those who do not see it. */
export function SessionStatus({ state }: { state: SessionState }) {
  const translate = useTranslate()
  const text = translate(`app.terminal.state.${state.phase}`)
  return (
    <Dot data-phase={state.phase} title={text}>
      <span className="visually-hidden">{text}</span>
    </Dot>
  )
}

const Dot = styled('span')(({ theme }) => ({
  position: 'relative',
  flex: 'none',
  width: 8,
  height: 8,
  borderRadius: '50%',
  background: theme.vars.palette.warning.main,
  '&[data-phase=open]': { background: theme.vars.palette.success.main },
  '&[data-phase=ended]': { background: 'none', border: `2px solid ${theme.vars.palette.text.secondary}` },
}))
