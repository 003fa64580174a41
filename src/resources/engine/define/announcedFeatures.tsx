import { createContext, type ReactNode, use } from 'react'
import { Navigate, useBasename, useGetIdentity } from 'react-admin'
import { allows } from '../../../schemas/define/access.ts'
import type { Resource } from './defineResource.ts'
import { isNamedPage, type SectionScreen } from './namedPage.ts'

/** Keys of what the server has beyond the contract, as its settings announce them; `undefined` until they are there. */
export const AnnouncedFeaturesContext = createContext<ReadonlySet<string> | undefined>(undefined)

const isAnnounced = ({ entity }: Resource, announced: ReadonlySet<string> | undefined) =>
  entity.api.announced === undefined || announced?.has(entity.api.announced) === true

/** Tells whether a screen exists for this person: they may read its list, and the server has it. */
export function useIsAvailable(): (screen: SectionScreen) => boolean {
  const announced = use(AnnouncedFeaturesContext)
  const { identity } = useGetIdentity()
  return (screen) =>
    isNamedPage(screen)
      ? allows(identity?.role, screen.access)
      : allows(identity?.role, screen.entity.access.list) && isAnnounced(screen, announced)
}

/** Around a screen that only some servers have: on others nothing is requested, and its address redirects to the home screen. */
export function IfAnnounced({ resource, children }: { resource: Resource; children: ReactNode }) {
  const announced = use(AnnouncedFeaturesContext)
  const basename = useBasename()
  if (isAnnounced(resource, announced)) return children
  return announced && <Navigate to={basename || '/'} replace />
}
