import {
  type ComponentType,
  createContext,
  type ReactElement,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Identifier } from 'react-admin'
import { isolate } from '../../../i18n/isolate.ts'
import { useTrouble } from '../../live/trouble.ts'
import { allows, type Rule } from '../../schemas/define/access.ts'
import type { Endpoint } from '../../schemas/define/endpoint.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { useIdentity } from '../parts/identity.tsx'
import type { Resource } from './defineResource.ts'

/** What is known of a resource from the start: where its screens are. All else comes with its definition. */
export interface ResourceEntry {
  entity: Entity
  /** Address below `/dashboard`; `''` is the home screen. */
  path: string
  /** Whether it is an entry of the navigation, or a tab of another screen. */
  menu: true | { tabOf: string }
  /** Fetches what the list, its dialogs and its forms are drawn from. */
  load: () => Promise<{ default: Resource }>
  /**
   * Fetches the page of one record at `<address>/:id/overview`, where its name and its row lead; it reads the id from the
   * address. Without one, names and rows lead to the form.
   */
  overview?: () => Promise<{ default: ComponentType }>
  /**
   * Records that wait for somebody: those that this filter finds. The command palette offers their dialog at this
   * address, which is that of the row action of the same name.
   */
  waiting?: { filter: Readonly<Record<string, string>>; address: string }
  /** Whether pickers offer to make one without leaving the form that they are in. */
  isMadeInPickers?: boolean
  /** Stands beside the entry of the navigation that leads to this list or to the list that it is a tab of. */
  Badge?: ComponentType
}

/**
 * Lists the screens of an entity. Nothing of its definition is loaded with this, so that a new entity adds next to
 * nothing to the first load. Default: an entry of the navigation, at the name of the entity.
 *
 * @example
 * resource(nat, () => import('./nat/index.ts'))
 */
export const resource = (
  entity: Entity,
  load: ResourceEntry['load'],
  options: Partial<Pick<ResourceEntry, 'path' | 'menu' | 'overview' | 'waiting' | 'isMadeInPickers' | 'Badge'>> = {},
): ResourceEntry => ({ entity, load, path: entity.name, menu: true, ...options })

/** Where the screens of an entity are. */
export type ResourceAddress = Pick<ResourceEntry, 'entity' | 'path' | 'overview'>

/** First segments of a dialog's address. The home screen has no path, so its dialogs use the entity's name. */
export const dialogRoot = ({ path, entity }: ResourceAddress) => path || entity.name

/** Where the name of a record leads, below `/dashboard`: its overview where there is one, else its form. */
export function recordPath(entry: ResourceAddress, id: Identifier): string {
  const form = `${dialogRoot(entry)}/${encodeURIComponent(id)}`
  return entry.overview ? `${form}/overview` : form
}

/** A hand-made page with a name, so that tabs and the command palette lead to it. */
export interface NamedPage {
  /** Below `/dashboard`, as `settings`. */
  path: string
  /** Its name in tabs and in the palette. */
  labelKey: string
  /** Who may open it. */
  access: Rule
  /** Only servers whose `GET /setting` lists this key under `wheelhouse` have it. */
  announced?: string
  /** The section whose first tab it is: an entity's name, or `settings`. */
  firstTabOf?: string
  /** The entity whose list opens for people who may see neither this page nor another tab of its section. */
  instead?: string
  /** The section in which it is a tab, behind the lists. */
  lastTabOf?: string
  element: ReactElement
}

/** One tab of a section: the screen of a definition, or a hand-made page. */
export type SectionScreen = ResourceEntry | NamedPage

export const isNamedPage = (member: SectionScreen): member is NamedPage => 'labelKey' in member

/** The section that a hand-made page belongs to. */
export const SectionContext = createContext<readonly SectionScreen[]>([])

/** The site's name, for titles. The layout provides it. */
export const SiteNameContext = createContext('')

/** Puts the screen's title before the site's name into the browser's tab, and before both how much is wrong: '(3) Servers'. */
export function usePageTitle(title: string) {
  const siteName = use(SiteNameContext)
  const count = useTrouble((state) => state.count)
  useEffect(() => {
    const counted = count > 0 ? `(${count}) ${title}` : title
    document.title = siteName ? `${isolate(counted)} · ${isolate(siteName)}` : counted
  }, [title, siteName, count])
}

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
