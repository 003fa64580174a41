import { type ComponentType, Suspense } from 'react'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'

/** A cell of a column that is hidden by default: it is loaded when it is first shown, and rows do not wait for it. */
export function shownLater(load: () => Promise<{ default: ComponentType }>) {
  const Part = lazyPart(load, { isInRows: true })
  return function Cell() {
    return (
      <Suspense>
        <Part />
      </Suspense>
    )
  }
}
