import { createContext, type ReactNode, use } from 'react'
import { Navigate, useBasename, useGetIdentity } from 'react-admin'
import { allows } from '../../../schemas/define/access.ts'
import type { Resource } from './defineResource.ts'
import { isPlace, type Member } from './place.ts'

/** What the server says it has beyond the contract, by key; `undefined` until it has said so. */
export const AnnouncedContext = createContext<ReadonlySet<string> | undefined>(undefined)

const isHad = ({ entity }: Resource, announced: ReadonlySet<string> | undefined) =>
  entity.api.announced === undefined || announced?.has(entity.api.announced) === true

/** Tells which screens there are for this person: those of lists that they may read and that the server has. */
export function useIsOffered(): (member: Member) => boolean {
  const announced = use(AnnouncedContext)
  const { identity } = useGetIdentity()
  return (member) =>
    isPlace(member)
      ? allows(identity?.role, member.access)
      : allows(identity?.role, member.entity.access.list) && isHad(member, announced)
}

/** A screen of what only some servers have: others are not asked for it, and its address leads home. */
export function IfAnnounced({ resource, children }: { resource: Resource; children: ReactNode }) {
  const announced = use(AnnouncedContext)
  const basename = useBasename()
  if (isHad(resource, announced)) return children
  return announced && <Navigate to={basename || '/'} replace />
}
