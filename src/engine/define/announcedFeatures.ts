import { createContext, use } from 'react'
import { allows } from '../../schemas/define/access.ts'
import { useIdentity } from '../parts/identity.tsx'
import { isNamedPage, type SectionScreen } from './namedPage.ts'
import { useRefusedLists } from './RefusedLists.tsx'
import type { ResourceEntry } from './resourceEntry.ts'

/** Keys of what the server has beyond the contract, as its settings announce them; `undefined` until they are there. */
export const AnnouncedFeaturesContext = createContext<ReadonlySet<string> | undefined>(undefined)

/** Whether the server has an entity. */
export const isAnnounced = ({ entity }: Pick<ResourceEntry, 'entity'>, announced: ReadonlySet<string> | undefined) =>
  hasFeature(entity.api.announced, announced)

const hasFeature = (feature: string | undefined, announced: ReadonlySet<string> | undefined) =>
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
