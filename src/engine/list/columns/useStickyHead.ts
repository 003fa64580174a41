import { type RefObject, useEffect, useRef } from 'react'
import { sizes } from '../../../components/theme/tokens.ts'

/**
 * Keeps the head of a wide table below the header while the window scrolls. The style sheet does that where `data-scrolls`
 * is `x`: where the box around the table leaves scrolling down to the window. Older browsers make it a box of both axes,
 * `xy`, in which nothing sticks to the window, as soon as it has hidden columns: there the head is moved.
 */
export function useStickyHead(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = box.current
    // Test environments have none.
    if (!element || typeof ResizeObserver === 'undefined') return
    const place = () => {
      const head = element.querySelector('thead')
      if (!head) return
      const isMoved = element.dataset.scrolls === 'xy'
      const { top, height } = element.getBoundingClientRect()
      const below = Math.min(Math.max(sizes.header - top, 0), height - head.offsetHeight)
      head.style.translate = isMoved && below > 0 ? `0 ${below}px` : ''
    }
    const look = () => {
      element.dataset.scrolls = getComputedStyle(element).overflowY === 'clip' ? 'x' : 'xy'
      place()
    }
    const onScroll = () => {
      if (element.dataset.scrolls === 'xy') place()
    }
    const observer = new ResizeObserver(look)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', onScroll)
    }
  }, [box])
}

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
