import { styled } from '@mui/material/styles'
import { Suspense, useEffect } from 'react'
import { useTimeout, useTranslate } from 'react-admin'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { useTrouble } from '../../../live/trouble.ts'
import { useKeepStrip, useQuietHeight, useStripHeight } from './useStripHeight.ts'

const TroubleStrip = lazyPart(() => import('./TroubleStrip.tsx'))
const TroubleFoot = lazyPart(() => import('./TroubleFoot.tsx'))

/**
 * The place of the trouble strip. It is one quiet line while nothing is wrong; lines are fetched with the first trouble.
 * Until it is known what is wrong, the place is as high as the strip will be, so that the rows below stay where they are.
 */
export function TroubleSlot() {
  const count = useTrouble(({ troubles }) => troubles?.length)
  const height = useStripHeight()
  const quietHeight = useQuietHeight()
  const isExpected = height > quietHeight
  useEffect(() => {
    if (isExpected) void TroubleStrip.prepare()
  }, [isExpected])
  const place = <div style={{ height }} />
  return (
    <div style={{ minHeight: quietHeight, marginBottom: 12 }}>
      {count === undefined ? place : null}
      {count === 0 ? <QuietLine /> : null}
      {count ? (
        <Suspense fallback={place}>
          <TroubleStrip />
        </Suspense>
      ) : null}
    </div>
  )
}

/** Milliseconds: what was wrong before is no part of the first list, which has to be there first. */
const timelineDelay = 2_000

function QuietLine() {
  const translate = useTranslate()
  const isLate = useTimeout(timelineDelay)
  const keep = useKeepStrip()
  const height = useQuietHeight()
  useEffect(() => keep({ lines: 0, height }), [keep, height])
  return (
    <Quiet>
      <span>{translate('app.trouble.none')}</span>
      <Suspense>{isLate ? <TroubleFoot /> : null}</Suspense>
    </Quiet>
  )
}

const Quiet = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(0, 1),
  minHeight: 31,
  fontSize: 13,
  color: theme.vars.palette.text.secondary,
}))
