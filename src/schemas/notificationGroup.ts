import { z } from 'zod'
import { defineEntity } from './define/entity.ts'
import { facts, name, refs } from './define/fields.ts'
import { memberGroup } from './define/memberGroup.ts'
import { scopesOfArea } from './define/tokenScopes.ts'
import { eventTypes } from './webhooks/eventTypes.ts'

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
  }),
  api: { row: memberGroup('notifications'), members: 'notifications' },
})

/**
 * Whether a form names a notifier group that has no notifiers.
 * @param related all groups; `undefined` while they are not known
 */
export function isEmptyGroup(
  { notification_group_id: id }: Readonly<Record<string, unknown>>,
  { related }: { related?: readonly Readonly<Record<string, unknown>>[] },
): boolean {
  const group = related?.find((one) => one.id === id)
  return group !== undefined && !(group.notifications as unknown[] | null | undefined)?.length
}
