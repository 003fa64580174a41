import { useEffect, useRef } from 'react'
import type { Screen } from './screen.ts'

/** Puts the screen into the page and keeps it as large as its place. */
export function useScreenElement(screen: Screen) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = container.current
    if (!element) return
    screen.mount(element)
    screen.fit()
    let frame = 0
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => screen.fit())
    })
    observer.observe(element)
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
    }
  }, [screen])
  return container
}
