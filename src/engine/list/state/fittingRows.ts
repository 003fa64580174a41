import { useSyncExternalStore } from 'react'
import { sizes } from '../../../components/theme/tokens.ts'

/** Pixels. What stands above and below the rows of a list: header, title, toolbar, the head of the table, page links. */
const around = 326
const rowHeight = { wide: 44, dense: 36 }
/** Pixels: a card with the space below it, and the least width of one with the space beside it. */
const card = { height: 131, width: 328 }
/** Pixels at both sides of the cards. */
const margins = 40
const leastRows = 10
const mostRows = 100

/** How many rows, or cards, fill the window: the number on a page of whoever has chosen none. */
export const useFittingRows = (isCards: boolean, isDense: boolean): number =>
  useSyncExternalStore(subscribe, () => fittingRows(window.innerWidth, window.innerHeight, isCards, isDense))

/** @param width of the window, in pixels, as `height` */
export function fittingRows(width: number, height: number, isCards: boolean, isDense: boolean): number {
  const columns = isCards && width >= sizes.narrow ? Math.floor((width - margins) / card.width) : 1
  const lineHeight = isCards ? card.height : isDense ? rowHeight.dense : rowHeight.wide
  const lines = Math.max(Math.ceil(leastRows / columns), Math.floor((height - around) / lineHeight))
  return Math.min(mostRows, columns * lines)
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}
