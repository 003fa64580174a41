import { styled } from '@mui/material/styles'
import { useEffect, useState } from 'react'
import { useLocaleState, useTranslate } from 'react-admin'

/** The time of day, ticking on the second. Only this element renders when it does. */
export function Clock() {
  const now = useSecond()
  const translate = useTranslate()
  const [locale] = useLocaleState()
  return (
    <Time dateTime={now.toISOString()} title={translate('app.shell.clock')}>
      {now.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium' })}
    </Time>
  )
}

/** The current second. Each tick is aimed anew at the next full second, so that the clock never drifts or skips. */
function useSecond(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    // A timer may ring a few milliseconds early; rounding keeps such a tick from showing the second before.
    const tick = () => {
      setNow(new Date(Math.round(Date.now() / 1000) * 1000))
      timer = setTimeout(tick, untilNextSecond())
    }
    let timer = setTimeout(tick, untilNextSecond())
    return () => clearTimeout(timer)
  }, [])
  return now
}

/** Milliseconds; a tick that rang early does not aim at the same second again. */
function untilNextSecond(): number {
  const rest = 1000 - (Date.now() % 1000)
  return rest < 50 ? rest + 1000 : rest
}

const Time = styled('time')({ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' })
