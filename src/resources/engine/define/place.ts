import type { ReactElement } from 'react'
import { createContext } from 'react'
import type { Rule } from '../../../schemas/define/access.ts'
import type { Resource } from './defineResource.ts'

/** A page drawn by hand, as sections and the palette know it. */
export interface Place {
  /** Below `/dashboard`, as `settings`. */
  path: string
  /** What its tab and the palette call it. */
  labelKey: string
  /** Who is led there. */
  access: Rule
  /** The section whose first tab it is. */
  heads?: string
  element: ReactElement
}

/** A screen of a section: a definition's, or a page. */
export type Member = Resource | Place

export const isPlace = (member: Member): member is Place => 'labelKey' in member

/** The section that a page is a part of. */
export const SectionContext = createContext<readonly Member[]>([])
