import { Suspense, useState } from 'react'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { useTrouble } from '../../../live/trouble.ts'
import { useFindTrouble } from './useFindTrouble.ts'

/** Fetched with the first trouble. */
const TroubleSignals = lazyPart(() => import('./TroubleSignals.tsx'))

/** Looks for trouble on every screen, and says so where no screen does. */
export function TroubleWatch() {
  useFindTrouble()
  const isWrong = useTrouble(({ troubles, count }) => troubles && count > 0)
  const [wasWrong, setWasWrong] = useState<boolean>()
  const [hasSignals, setSignals] = useState(false)
  if (isWrong !== undefined && wasWrong === undefined) setWasWrong(isWrong)
  if (isWrong && !hasSignals) setSignals(true)
  return hasSignals ? (
    <Suspense>
      <TroubleSignals isNew={wasWrong === false} />
    </Suspense>
  ) : null
}
