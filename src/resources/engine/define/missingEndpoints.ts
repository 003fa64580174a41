import { useCallback, useSyncExternalStore } from 'react'
import type { Endpoint } from '../../../schemas/define/endpoint.ts'

/** The paths of calls that this server has answered with a 404, which is how it says that it has no such thing. */
let missing: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

/** From now on, for this visit, what needs the call is hidden. */
export function markMissing({ path }: Endpoint): void {
  missing = new Set([...missing, path])
  for (const tell of listeners) tell()
}

const watch = (tell: () => void) => {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

/** Tells which calls are known not to be there. */
export function useMissing(): (endpoint: Endpoint) => boolean {
  const paths = useSyncExternalStore(watch, () => missing)
  return useCallback(({ path }) => paths.has(path), [paths])
}
