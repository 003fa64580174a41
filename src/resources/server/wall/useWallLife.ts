import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useEvent, useLocation, useNavigate } from 'react-admin'
import { reloadIfUpdated } from '../../../site/newBuild.ts'

/** Milliseconds. Names and groups that others change are on the wall after that. */
const refreshEvery = 5 * 60_000
/** Milliseconds after which a wall shows a new build of the console. */
const updateEvery = 10 * 60_000

/** Keeps a page up to date and awake that nobody touches for weeks. @param isLost whether the server gives no sign of life */
export function useWallLife(isLost: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    const refresh = () => {
      for (const key of ['server', 'server-group']) {
        void queries.invalidateQueries({ queryKey: ['collection', key] })
        void queries.invalidateQueries({ queryKey: [key] })
      }
    }
    const timers = [setInterval(refresh, refreshEvery), setInterval(() => void reloadIfUpdated(), updateEvery)]
    return () => timers.forEach(clearInterval)
  }, [queries])
  useEffect(() => {
    // A server that was away may have been updated meanwhile.
    if (!isLost) void reloadIfUpdated()
  }, [isLost])
  useEffect(keepScreenOn, [])
}

/** Asks the browser not to switch the screen off, as long as the page is seen. @returns how to stop */
function keepScreenOn(): () => void {
  let lock: Promise<WakeLockSentinel | undefined> | undefined
  const ask = () => {
    // Without TLS there is none; a machine on battery may refuse.
    if (!document.hidden) lock = navigator.wakeLock?.request('screen').catch(() => undefined)
  }
  ask()
  // The browser lets go of it when the page is hidden.
  document.addEventListener('visibilitychange', ask)
  return () => {
    document.removeEventListener('visibilitychange', ask)
    void lock?.then((held) => held?.release())
  }
}

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
