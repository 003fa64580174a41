import { useEffect, useRef } from 'react'

/**
 * Marks a box that scrolls sideways with where there is more: `data-more` is `start`, `end`, both or empty. Written
 * beside React, because it changes while somebody scrolls.
 */
export function useHiddenEdges<Box extends HTMLElement>() {
  const box = useRef<Box>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const mark = () => {
      const { scrollLeft, clientWidth } = element
      const child = element.firstElementChild
      // A box that only clips does not tell its whole width.
      const scrollWidth = Math.max(element.scrollWidth, child instanceof HTMLElement ? child.offsetWidth : 0)
      const left = Math.abs(scrollLeft)
      const edges = [left > 1 ? 'start' : '', left + clientWidth < scrollWidth - 1 ? 'end' : '']
      element.dataset.more = edges.filter(Boolean).join(' ')
    }
    element.addEventListener('scroll', mark, { passive: true })
    // Also called when it begins to observe, with the layout of the frame at hand: to mark here would make one more.
    // Test environments have none.
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(mark)
    observer?.observe(element)
    if (element.firstElementChild) observer?.observe(element.firstElementChild)
    return () => {
      element.removeEventListener('scroll', mark)
      observer?.disconnect()
    }
  }, [])
  return box
}
