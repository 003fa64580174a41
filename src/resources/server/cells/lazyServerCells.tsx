import { type ComponentType, Suspense } from 'react'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'

/** Parts of the list of servers that are loaded when they are first shown: rows appear without waiting for them. */
export const LastHour = lazyCell(() => import('./LastHour.tsx'))
export const LastHourMetric = lazyCell(() => import('./LastHourMetric.tsx'))

function lazyCell(load: () => Promise<{ default: ComponentType }>) {
  const Part = lazyPart(load)
  return function Cell() {
    return (
      <Suspense>
        <Part />
      </Suspense>
    )
  }
}
