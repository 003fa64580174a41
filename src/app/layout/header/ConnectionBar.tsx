import { styled } from '@mui/material/styles'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatDuration } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { sizes } from '../../../components/theme/tokens.ts'
import { useLostConnection } from '../../../components/useLostConnection.ts'
import { loud, type Trouble } from '../../../domain/trouble/trouble.ts'
import { useTrouble } from '../../../live/trouble.ts'

/** Milliseconds after which what has changed meanwhile is known: frames are there, and alarms were asked for again. */
const settleMs = 4_000
/** Milliseconds for which the line stays after that. */
const showMs = 20_000
/** What is named one by one. */
const mostNamed = 3

/**
 * The bar below the header while the connection is dead: since when; and, when it is back, one line of what has changed
 * meanwhile. It lies over what is below it, so that nothing moves. The page looks dead by `data-lost` of its root.
 */
export function ConnectionBar() {
  const { locale, translate } = useLanguage()
  const lost = useLostConnection()
  const back = useMeanwhile(lost?.since)
  const isLost = lost !== undefined
  useEffect(() => {
    document.documentElement.toggleAttribute('data-lost', isLost)
  }, [isLost])
  const text = lost
    ? translate(lost.isAway ? 'app.status.server_away' : 'app.status.live_stopped', {
        time: new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(lost.since),
      })
    : back
  return <Place role="status">{text ? <Bar data-lost={isLost ? '' : undefined}>{text}</Bar> : null}</Place>
}

/** What has changed while the connection was lost, as one line, for a while after it is back. */
function useMeanwhile(lostSince: number | undefined): string | undefined {
  const { translate } = useLanguage()
  const queries = useQueryClient()
  const troubles = useTrouble((state) => state.troubles)
  const latest = useRef(troubles)
  latest.current = troubles
  const before = useRef<{ since: number; troubles: readonly Trouble[] | undefined }>(undefined)
  const [text, setText] = useState<string>()
  useEffect(() => {
    if (lostSince !== undefined) {
      before.current ??= { since: lostSince, troubles: latest.current }
      setText(undefined)
      return
    }
    const lost = before.current
    if (!lost) return
    before.current = undefined
    const seconds = (Date.now() - lost.since) / 1000
    for (const queryKey of [['alarm'], ['services']]) void queries.invalidateQueries({ queryKey })
    const timers = [
      setTimeout(() => {
        const parts = [
          translate('app.status.back', { duration: formatDuration(seconds, translate, 1) }),
          ...changesBetween(lost.troubles ?? [], latest.current ?? []).map(({ key, names }) =>
            translate(key, { names }),
          ),
        ]
        setText(parts.length > 1 ? parts.join(' ') : `${parts[0]} ${translate('app.status.back_same')}`)
      }, settleMs),
      setTimeout(() => setText(undefined), settleMs + showMs),
    ]
    return () => timers.forEach(clearTimeout)
  }, [lostSince, queries, translate])
  return text
}

/** Which trouble began and which is over, as names behind text keys. Who has other trouble now is not over it. */
function changesBetween(before: readonly Trouble[], after: readonly Trouble[]): { key: string; names: string }[] {
  const keysBefore = new Set(before.map(({ key }) => key))
  const namesAfter = new Set(after.map(({ name }) => name))
  const changes = [
    { key: 'app.status.back_began', troubles: loud(after).filter(({ key }) => !keysBefore.has(key)) },
    { key: 'app.status.back_over', troubles: loud(before).filter(({ name }) => !namesAfter.has(name)) },
  ]
  return changes.flatMap(({ key, troubles }) => {
    const names = [...new Set(troubles.map(({ name }) => name).filter(Boolean))]
    const rest = names.length - mostNamed
    const shown = [...names.slice(0, mostNamed), ...(rest > 0 ? [`+ ${rest}`] : [])]
    return names.length > 0 ? [{ key, names: shown.join(', ') }] : []
  })
}

const Place = styled('div')(({ theme }) => ({
  position: 'sticky',
  top: sizes.header,
  zIndex: theme.zIndex.appBar,
  height: 0,
}))

const Bar = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  position: 'absolute',
  insetInline: 0,
  minHeight: 34,
  boxSizing: 'border-box',
  padding: '6px 24px',
  fontVariantNumeric: 'tabular-nums',
  overflowWrap: 'anywhere',
  color: theme.vars.palette.text.primary,
  background: theme.vars.palette.background.paper,
  borderBottom: `2px solid ${theme.vars.palette.primary.main}`,
  '&[data-lost]': { borderBottomColor: theme.vars.palette.warning.main },
  [theme.breakpoints.down('sm')]: { paddingInline: 16 },
}))
