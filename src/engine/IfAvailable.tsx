import { type ReactNode, use } from 'react'
import { Navigate, useBasename } from 'react-admin'
import { AnnouncedFeaturesContext, isAnnounced, useMaySee } from './define/announcedFeatures.ts'
import type { Resource } from './define/defineResource.ts'
import { useIdentity } from './parts/identity.tsx'
import { lazyPart } from './parts/lazyPart.tsx'

export const AdministratorsOnly = lazyPart(() => import('./AdministratorsOnly.tsx'))

/**
 * Around a screen that only some servers have, or that is for administrators: nothing is requested where it would be
 * missing or refused.
 */
export function IfAvailable({ resource, children }: { resource: Resource; children: ReactNode }) {
  const announced = use(AnnouncedFeaturesContext)
  const basename = useBasename()
  const { isPending } = useIdentity()
  const maySee = useMaySee()
  const { name, access, api } = resource.entity
  // The user is not known yet, or not whether this server shows the list to members.
  if (access.list === 'admin' && (isPending || (api.membersOfOldServers && !announced))) return null
  // Nobody is refused before the user is known.
  if (!maySee(resource)) return isPending ? null : <AdministratorsOnly titleKey={`resources.${name}.name`} />
  if (isAnnounced(resource, announced)) return children
  return announced && <Navigate to={basename || '/'} replace />
}
