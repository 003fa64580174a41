import { useCallback, useSyncExternalStore } from 'react'
import type { Endpoint } from '../../schemas/define/endpoint.ts'

/** The paths of calls that this server has answered with a 404: it does not have them. */
let missing: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

/** Hides what needs the call until the page is loaded again. */
export function markMissing({ path }: Endpoint): void {
  missing = new Set([...missing, path])
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Tells whether a call is known to be missing. */
export function useMissing(): (endpoint: Endpoint) => boolean {
  const paths = useSyncExternalStore(subscribe, () => missing)
  return useCallback(({ path }) => paths.has(path), [paths])
}
