import type { PointerEvent } from 'react'

/**
 * A native tooltip whose text is computed on hover, so that live metrics do not render it every 2 s and a hundred rows
 * need no tooltip components.
 */
export const hoverTitle = (text: () => string) => ({
  onPointerEnter: (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.title = text()
  },
})
