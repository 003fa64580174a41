import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
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
