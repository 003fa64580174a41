import { styled } from '@mui/material/styles'
import { useEffect, useState } from 'react'
import { useLocaleState, useTranslate } from 'react-admin'
import { formatDateTime } from '../../../components/format/format.ts'
import { useIdentity } from '../../../engine/parts/identity.tsx'

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

/** Date and time, updated every second. Only this element renders each second. */
function Clock() {
  const now = useSecond()
  const translate = useTranslate()
  const [locale] = useLocaleState()
  return (
    <Time dateTime={now?.toISOString()} title={translate('app.shell.clock')}>
      {now ? formatDateTime(now.getTime(), locale) : null}
    </Time>
  )
}

/**
 * The current second. Each timer is set to the next full second, so that the clock neither drifts nor skips. The first
 * drawing has none: a browser takes 5 ms to write its first date, for which the first list would wait.
 */
function useSecond(): Date | undefined {
  const [now, setNow] = useState<Date>()
  useEffect(() => {
    // Timers may fire a few milliseconds early; rounding avoids showing the previous second.
    const tick = () => {
      setNow(new Date(Math.round(Date.now() / 1000) * 1000))
      timer = setTimeout(tick, untilNextSecond())
    }
    let timer: ReturnType<typeof setTimeout>
    tick()
    return () => clearTimeout(timer)
  }, [])
  return now
}

/** Milliseconds; after an early timer it is not the same second again. */
function untilNextSecond(): number {
  const rest = 1000 - (Date.now() % 1000)
  return rest < 50 ? rest + 1000 : rest
}

const Time = styled('time')({
  whiteSpace: 'nowrap',
  fontVariantNumeric: 'tabular-nums',
  // As long as the shortest date, so that nothing moves when it comes.
  minWidth: '17ch',
  minHeight: '1lh',
})
