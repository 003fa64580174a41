import { notification } from '../../src/schemas/notification.ts'
import { notificationGroup } from '../../src/schemas/notificationGroup.ts'
import type { EventType } from '../../src/schemas/webhooks/eventTypes.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type Owned, type Row } from '../entities/entityTable.ts'
import { type RoleOf, reachesAll } from '../maintenance/coveredRecords.ts'
import type { NotifierRow } from '../notifications/attemptDelivery.ts'
import { mayAct } from '../person.ts'
import type { DataOf } from '../webhooks/newEvent.ts'

/** Whether a member may see what happened, by their id. Administrators see everything. */
type IsVisibleTo = (memberId: number) => boolean

/** A notifier that gets an event, and the group for which it does. */
export interface Recipient {
  notifier: NotifierRow
  group: GroupRow
}

type GroupRow = Row<typeof notificationGroup>

/** Who gets which events. */
export interface Recipients {
  /** Whether a group asks for events of this type. */
  isAskedFor(type: EventType): boolean
  /** The groups of administrators that ask for events of this type. */
  groupsOfAdmins(type: EventType): GroupRow[]
  /** Each notifier once, however many groups it is in. */
  of(type: EventType, isVisibleTo: IsVisibleTo): Recipient[]
  /** Those that get the messages of a group, of these notifiers. */
  ofMessage(groupId: number, notifiers: readonly NotifierRow[]): Recipient[]
  /** A notifier; `undefined` when it was deleted, or may not be used any more. */
  notifierOf(id: number): NotifierRow | undefined
}

export function createRecipients(store: Store, roleOf: RoleOf): Recipients {
  const notifiers = entityTable(store, notification)
  const groups = entityTable(store, notificationGroup)

  function notifierOf(id: number): NotifierRow | undefined {
    const row = notifiers.get(id)
    return row && mayAct(row.user_id, roleOf) ? row : undefined
  }

  const typesOf = ({ events }: GroupRow) => (events ?? []) as readonly EventType[]
  const askingFor = (type: EventType) => groups.all().filter((group) => typesOf(group).includes(type))
  const getsEvents = ({ send_events, stopped_at }: NotifierRow) => Boolean(send_events) && !stopped_at

  /** A group of an administrator may hold the notifier of a member: neither may get what its owner may not see. */
  const maySee = (row: Owned, isVisibleTo: IsVisibleTo) => reachesAll(row, roleOf) || isVisibleTo(row.user_id)

  return {
    notifierOf,
    isAskedFor: (type) => askingFor(type).length > 0,
    groupsOfAdmins: (type) => askingFor(type).filter((group) => reachesAll(group, roleOf)),
    of(type, isVisibleTo) {
      const found = new Map<number, Recipient>()
      for (const group of askingFor(type)) {
        if (!mayAct(group.user_id, roleOf) || !maySee(group, isVisibleTo)) continue
        for (const id of group.notifications) {
          const notifier = found.has(id) ? undefined : notifierOf(id)
          if (!notifier || !getsEvents(notifier) || !maySee(notifier, isVisibleTo)) continue
          found.set(id, { notifier, group })
        }
      }
      return [...found.values()]
    },
    ofMessage(groupId, members) {
      const group = groups.get(groupId)
      // Without a choice, it is as with other notifiers: they get the messages to the group, and nothing else.
      if (!group || (typesOf(group).length > 0 && !typesOf(group).includes('message'))) return []
      return members.filter(getsEvents).map((notifier) => ({ notifier, group }))
    },
  }
}

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
