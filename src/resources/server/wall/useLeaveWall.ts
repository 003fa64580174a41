import { useEffect, useState } from 'react'
import { useEvent, useLocation, useNavigate } from 'react-admin'

/** Milliseconds for which the button and the pointer are seen after the last movement. */
const shownFor = 4_000

/**
 * How to leave the wall: by Escape, by leaving full screen, or by a button that is there while the pointer moves.
 * @returns whether the button is seen, and what it does
 */
export function useLeaveWall(): { isSeen: boolean; leave: () => void } {
  const { search } = useLocation()
  const navigate = useNavigate()
  const [isSeen, setSeen] = useState(false)
  const leave = useEvent(() => {
    if (document.fullscreenElement) void document.exitFullscreen()
    const parameters = new URLSearchParams(search)
    parameters.delete('view')
    navigate({ search: parameters.size > 0 ? `?${parameters}` : '' })
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      setSeen(true)
      clearTimeout(timer)
      timer = setTimeout(() => setSeen(false), shownFor)
    }
    const onKey = ({ key }: KeyboardEvent) => {
      // A dialog above it, as that to sign in again, has its own use for the key.
      if (key === 'Escape' && !document.querySelector('[role=dialog]')) leave()
      else if (key === 'Tab') show()
    }
    // Browsers keep Escape for themselves while they are in full screen.
    const onFullscreen = () => {
      if (!document.fullscreenElement) leave()
    }
    for (const event of ['pointermove', 'pointerdown'] as const) window.addEventListener(event, show)
    window.addEventListener('keydown', onKey)
    document.addEventListener('fullscreenchange', onFullscreen)
    return () => {
      clearTimeout(timer)
      for (const event of ['pointermove', 'pointerdown'] as const) window.removeEventListener(event, show)
      window.removeEventListener('keydown', onKey)
      document.removeEventListener('fullscreenchange', onFullscreen)
    }
  }, [leave])
  return { isSeen, leave }
}
