import { type ComponentType, createContext, type ReactElement, use, useEffect } from 'react'
import type { Identifier } from 'react-admin'
import { isolate } from '../../../i18n/isolate.ts'
import { useTrouble } from '../../live/trouble.ts'
import type { Rule } from '../../schemas/define/access.ts'
import type { Entity } from '../../schemas/define/entity.ts'
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
