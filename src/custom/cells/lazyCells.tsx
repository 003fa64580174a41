import { Suspense } from 'react'
import { lazyPart } from '../../resources/engine/lazyPart.tsx'

const Standing = lazyPart(() => import('./DdnsStanding.tsx'))
const Status = lazyPart(() => import('./ServiceStatus.tsx'))

/** Comes with the first list that has it; a row does not wait for it. */
export function DdnsStanding() {
  return (
    <Suspense>
      <Standing />
    </Suspense>
  )
}

/** The same for services. */
export function ServiceStatus() {
  return (
    <Suspense>
      <Status />
    </Suspense>
  )
}
