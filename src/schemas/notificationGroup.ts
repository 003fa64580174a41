import { z } from 'zod'
import { defineEntity, scopesOfArea } from './define/entity.ts'
import { choice, facts, name, refs } from './define/fields.ts'
import { memberGroup } from './define/memberGroup.ts'
import { ofTeam } from './define/team.ts'
import { eventTypes } from './webhooks/eventTypes.ts'

/** What a group is told of: incidents, or each alarm and outage by itself. */
export const groupMessages = { 0: 'incident', 1: 'alarm' } as const

/** The code of a group that is told of each alarm and outage by itself. */
export const eachAlarm = 1

/** Seconds for which an incident may wait for what belongs to it, before a group is told. */
export const longestSettle = 600

const ownField = { newer: true, announced: 'incidents', leftOut: 'kept' } as const

/** Notifiers that get the same messages. */
export const notificationGroup = defineEntity({
  name: 'notification-group',
  scopes: scopesOfArea('notification-group'),
  form: z.object({
    name: name(),
    notifications: refs('notification').default([]),
    /** The events for notifiers in it that take events. None: the messages to the group. Embedded server only. */
    events: z
      .array(z.enum(eventTypes))
      .max(eventTypes.length)
      .register(facts, { newer: true, announced: 'webhooks' })
      .optional(),
    /** Embedded server only, as the next. */
    messages: choice(groupMessages)
      .register(facts, { kind: 'choice', choices: groupMessages, ...ownField })
      .default(0),
    /** Seconds for which an incident waits for what belongs to it, before this group is told that it has begun. */
    settle: z.int().min(0).max(longestSettle).register(facts, ownField).default(20),
    /** Whether messages have three lines of what the server said of itself when an alarm began. Embedded server only. */
    snapshot: z.boolean().register(facts, ownField).default(false),
    ...ofTeam(),
  }),
  api: { row: memberGroup('notifications'), members: 'notifications' },
})

/**
 * Whether a form names a notifier group that has no notifiers.
 * @param related all groups; `undefined` while they are not known
 */
export function isEmptyGroup(
  { notification_group_id: id }: { notification_group_id?: unknown },
  { related }: { related?: readonly { id: unknown; notifications?: readonly unknown[] | null }[] },
): boolean {
  const group = related?.find((one) => one.id === id)
  return group !== undefined && !group.notifications?.length
}
