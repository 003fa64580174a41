import { useEffect, useState } from 'react'

/** The height that is left above a phone's keyboard, as a style: the last line must not be behind it. */
export function useVisibleHeight(): string {
  const [height, setHeight] = useState('100dvh')
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const update = () => {
      // Zooming in makes the viewport smaller as well, and is no reason to draw anything anew.
      if (viewport.scale > 1.01) return
      setHeight(window.innerHeight - viewport.height > 1 ? `${viewport.height}px` : '100dvh')
    }
    viewport.addEventListener('resize', update)
    return () => viewport.removeEventListener('resize', update)
  }, [])
  return height
}
