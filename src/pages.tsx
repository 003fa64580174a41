import type { ReactElement } from 'react'

/** A page that is drawn by hand. */
export interface Page {
  /** Below `/dashboard`, as `/terminal/:id`. */
  path: string
  /** Loaded on the first visit. */
  element: ReactElement
  /** Whether it fills its tab alone, without header, navigation and footer. */
  alone?: boolean
}

/** Every element is lazy: none of them weighs on the first list. */
export const pages: readonly Page[] = []
