import { createContext, use, useState, useSyncExternalStore } from 'react'
import { createEmitter } from '../../../events/emitter.ts'
import type { TimeMark, TimeRange } from './chartSeries.ts'

/** The time that the crosshair of all charts of a page points at, ms since 1970. Outside React: it moves with the mouse. */
export interface Cursor {
  at(): number | undefined
  point(at: number | undefined): void
  subscribe(listener: () => void): () => void
}

/** What the charts of a page share: one time axis, one crosshair, and what happened meanwhile. */
export interface Timeline {
  /** The time that all of them show. */
  span: TimeRange
  cursor: Cursor
  marks: readonly TimeMark[]
  /** Shows a part of the time, or all of it again. */
  onZoom: (range: TimeRange | undefined) => void
}

export const TimelineContext = createContext<Timeline | undefined>(undefined)

/** The timeline around a chart. @throws Error outside of one */
export function useTimeline(): Timeline {
  const timeline = use(TimelineContext)
  if (!timeline) throw new Error('Charts are drawn inside a TimelineContext only.')
  return timeline
}

/** Where the crosshair is. */
export const useCursorTime = (cursor: Cursor): number | undefined => useSyncExternalStore(cursor.subscribe, cursor.at)

/** One crosshair for the charts of a page. */
export function useNewCursor(): Cursor {
  const [cursor] = useState(createCursor)
  return cursor
}

function createCursor(): Cursor {
  const moved = createEmitter()
  let current: number | undefined
  return {
    at: () => current,
    point(at) {
      if (at === current) return
      current = at
      moved.emit()
    },
    subscribe: moved.subscribe,
  }
}
