import type { PointerEvent } from 'react'

/**
 * A native tooltip whose text is made when the pointer arrives: moving figures need not render it every 2 s, and a
 * hundred rows need no tooltip components.
 */
export const hoverTitle = (text: () => string) => ({
  onPointerEnter: (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.title = text()
  },
})
