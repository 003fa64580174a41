import { styled } from '@mui/material/styles'
import { useEffect, useState } from 'react'
import { useLocaleState, useTranslate } from 'react-admin'

/** Date and time, updated every second. Only this element renders each second. */
export function Clock() {
  const now = useSecond()
  const translate = useTranslate()
  const [locale] = useLocaleState()
  return (
    <Time dateTime={now?.toISOString()} title={translate('app.shell.clock')}>
      {now?.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium' })}
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
