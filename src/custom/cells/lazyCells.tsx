import { Suspense } from 'react'
import { lazyPart } from '../../resources/engine/lazyPart.tsx'

const Standing = lazyPart(() => import('./DdnsStanding.tsx'))

/** Comes with the first list that has it; a row does not wait for it. */
export function DdnsStanding() {
  return (
    <Suspense>
      <Standing />
    </Suspense>
  )
}
