import type { EventType } from '../../src/schemas/webhooks/eventTypes.ts'
import type { DataOf } from '../webhooks/newEvent.ts'
import type { IsVisibleTo } from './recipients.ts'

/** What happened, and who may know. */
export interface NewEvent<Type extends EventType> {
  type: Type
  data: DataOf<Type>
  /** A few words for the delivery log. */
  about: string
  isVisibleTo: IsVisibleTo
  serviceId?: number
}

/** Sends an event to all that ask for it. Never throws. */
export type Emit = <Type extends EventType>(event: NewEvent<Type>) => void
