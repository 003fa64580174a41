import { createContext, type ReactNode, use, useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import { allows } from '../../schemas/define/access.ts'
import type { Endpoint } from '../../schemas/define/endpoint.ts'
import { useIdentity } from '../parts/identity.tsx'
import { isNamedPage, type ResourceEntry, type SectionScreen } from './page.ts'

const RefusedListsContext = createContext<{ refused: ReadonlySet<string>; add: (key: string) => void }>({
  refused: new Set(),
  add: () => {},
})

/** Keeps which lists the server has refused to a person, until the console is loaded again. */
export function RefusedLists({ children }: { children: ReactNode }) {
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set())
  const add = useCallback((key: string) => setRefused((before) => new Set([...before, key])), [])
  const value = useMemo(() => ({ refused, add }), [refused, add])
  return <RefusedListsContext value={value}>{children}</RefusedListsContext>
}

/** Which lists were refused to the person who is signed in, by the name of their entity. */
export function useRefusedLists() {
  const { refused, add } = use(RefusedListsContext)
  const { identity } = useIdentity()
  const person = identity?.id
  return useMemo(
    () => ({
      isRefused: (entity: string) => refused.has(`${person} ${entity}`),
      /** From now on its page says that it is for administrators. */
      markRefused: (entity: string) => add(`${person} ${entity}`),
    }),
    [refused, add, person],
  )
}

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

/** Keys of what the server has beyond the contract, as its settings announce them; `undefined` until they are there. */
export const AnnouncedFeaturesContext = createContext<ReadonlySet<string> | undefined>(undefined)

/** Whether the server has an entity. */
export const isAnnounced = ({ entity }: Pick<ResourceEntry, 'entity'>, announced: ReadonlySet<string> | undefined) =>
  hasFeature(entity.api.announced, announced)

/** Whether the server has what it announces by this key; what has none is everywhere. */
export const hasFeature = (feature: string | undefined, announced: ReadonlySet<string> | undefined) =>
  feature === undefined || announced?.has(feature) === true

/** Tells whether a screen exists for this person: they may read its list, and the server has it. */
export function useIsAvailable(): (screen: SectionScreen) => boolean {
  const announced = use(AnnouncedFeaturesContext)
  const maySee = useMaySee()
  return (screen) =>
    maySee(screen) && (isNamedPage(screen) ? hasFeature(screen.announced, announced) : isAnnounced(screen, announced))
}

/** Tells whether this person may see a screen, as far as it is known before the server answers. */
export function useMaySee(): (screen: SectionScreen) => boolean {
  const announced = use(AnnouncedFeaturesContext)
  const { identity } = useIdentity()
  const { isRefused } = useRefusedLists()
  // The embedded server announces what it has beyond the contract; the others announce nothing.
  const isNezha = announced?.size === 0
  return (screen) => {
    if (isNamedPage(screen)) return allows(identity?.role, screen.access)
    const { name, access, api } = screen.entity
    if (isRefused(name)) return false
    return allows(identity?.role, api.membersOfOldServers && isNezha ? 'user' : access.list)
  }
}
