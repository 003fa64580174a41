import type { ReactElement } from 'react'
import { createContext } from 'react'
import type { Rule } from '../../schemas/define/access.ts'
import type { ResourceEntry } from './resourceEntry.ts'

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
