import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { useIdentity } from '../../../engine/parts/identity.tsx'
import { Clock } from './Clock.tsx'

/** The line below the header: user name, login address and time. */
export function GreetingLine() {
  const translate = useTranslate()
  const { identity } = useIdentity()
  return (
    <Line>
      <Who>
        {identity?.fullName && <span>{translate('app.shell.greeting', { name: identity.fullName })}</span>}
        {identity?.loginIp && <Address>{translate('app.shell.login_ip', { ip: identity.loginIp })}</Address>}
      </Who>
      <Clock />
    </Line>
  )
}

const Line = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'space-between',
  gap: '0 16px',
  padding: '8px 24px 0',
  color: theme.vars.palette.text.secondary,
  // The time stands below on phones, where it does not fit beside in every language: it comes after the first drawing.
  [theme.breakpoints.down('sm')]: { flexDirection: 'column', padding: '8px 16px 0' },
}))

const Who = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: '0 16px', minWidth: 0, minHeight: '1lh' })

const Address = styled('span')({ overflowWrap: 'anywhere' })
