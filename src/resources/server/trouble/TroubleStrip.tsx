import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { loud, type Trouble } from '../../../domain/trouble/trouble.ts'
import { useTrouble } from '../../../live/trouble.ts'
import TroubleFoot from './TroubleFoot.tsx'
import { TroubleLine, TroubleList } from './TroubleLine.tsx'
import { useKeepStrip, useMostLines } from './useStripHeight.ts'

/** Who has more trouble than this reads the lists, which can be filtered. */
const mostOpened = 300

/**
 * One line for each thing that is wrong now, worst and newest first; what nobody needs to look at, because it is muted or
 * in maintenance, and what does not fit comes with a button.
 */
export default function TroubleStrip() {
  const { translate } = useLanguage()
  const troubles = useTrouble((state) => state.troubles)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const urgent = loud(troubles ?? [])
  const room = useRoom(Math.min(useMostLines(), urgent.length))
  const frame = useRef<HTMLDivElement>(null)
  const keep = useKeepStrip()
  const lines = urgent.length
  useLayoutEffect(() => {
    const element = frame.current
    // jsdom has no layout.
    if (!element || isOpen || !globalThis.ResizeObserver) return
    const observer = new ResizeObserver(() => keep({ lines, height: element.offsetHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [isOpen, keep, lines])
  if (!troubles) return null
  const shown = isOpen ? troubles.slice(0, mostOpened) : urgent.slice(0, room)
  const silenced = troubles.length - urgent.length
  return (
    <Frame ref={frame} data-quiet={urgent.length === 0 ? '' : undefined}>
      {shown.length > 0 ? (
        <div id={id}>
          <TroubleList label={translate('app.trouble.label')}>
            {shown.map((trouble) => (
              <TroubleLine key={trouble.key} trouble={trouble} />
            ))}
          </TroubleList>
        </div>
      ) : null}
      <Foot>
        {urgent.length === 0 ? <span>{translate('app.trouble.none')}</span> : null}
        <More troubles={troubles} shown={shown.length} silenced={silenced} isOpen={isOpen} id={id} onToggle={setOpen} />
        <TroubleFoot />
      </Foot>
    </Frame>
  )
}

interface MoreProps {
  troubles: readonly Trouble[]
  shown: number
  silenced: number
  isOpen: boolean
  /** Of what is opened. */
  id: string
  onToggle: (isOpen: boolean) => void
}

/** Opens what has no line: '+ 12 more, 3 of them muted'. */
function More({ troubles, shown, silenced, isOpen, id, onToggle }: MoreProps) {
  const { translate, locale } = useLanguage()
  const rest = troubles.length - shown
  if (rest === 0 && !isOpen) return null
  const count = rest.toLocaleString(locale)
  const muted = silenced.toLocaleString(locale)
  const text = isOpen
    ? translate('app.trouble.fewer')
    : silenced === 0
      ? translate('app.trouble.more', { count })
      : silenced === rest
        ? translate('app.trouble.muted', { smart_count: silenced, count })
        : translate('app.trouble.more_muted', { count, muted })
  return (
    <Button size="small" color="inherit" aria-expanded={isOpen} aria-controls={id} onClick={() => onToggle(!isOpen)}>
      {text}
    </Button>
  )
}

/**
 * For how many lines there is room: as many as are wanted, but it does not change while the pointer is on a row of the
 * list, so that nothing moves away under it.
 */
function useRoom(wanted: number): number {
  const [isReading, setReading] = useState(false)
  const [room, setRoom] = useState(wanted)
  useEffect(() => {
    const onPointer = ({ target, pointerType }: PointerEvent) =>
      setReading(pointerType === 'mouse' && target instanceof Element && target.closest('[data-row]') !== null)
    document.addEventListener('pointerover', onPointer)
    return () => document.removeEventListener('pointerover', onPointer)
  }, [])
  if (!isReading && room !== wanted) setRoom(wanted)
  return isReading ? room : wanted
}

const Frame = styled('div')(({ theme }) => ({
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  overflow: 'hidden',
  '&[data-quiet]': { background: 'none', borderColor: 'transparent' },
}))

const Foot = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(0, 1),
  fontSize: 13,
  color: theme.vars.palette.text.secondary,
  '& > button': { color: 'inherit' },
  'div + &': { paddingInline: theme.spacing(0.75) },
  // Below the words of the lines, as the text of a button is.
  'div + & > span': { paddingInlineStart: theme.spacing(1) },
  [theme.breakpoints.down('md')]: {
    'div + & > div': { paddingInlineStart: theme.spacing(1) },
    // Less worth than the bars beside it while something is wrong.
    'div + & [data-ended]': { display: 'none' },
  },
  'div + &:not(:empty)': { borderTop: `1px solid ${theme.vars.palette.divider}` },
}))
