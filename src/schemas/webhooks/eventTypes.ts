/** The events that a notifier group can ask for, as they are in the `type` of their JSON (docs/guides/webhooks.md). */
export const eventTypes = [
  'incident.opened',
  'incident.acknowledged',
  'incident.resolved',
  'alarm.raised',
  'alarm.resolved',
  'service.down',
  'service.up',
  'server.offline',
  'server.online',
  'task_run.ended',
  'user.signed_in',
  'wheelhouse.restarted',
  'record.changed',
  /** The messages that are sent to the group, such as those of its alert rules. */
  'message',
] as const

export type EventType = (typeof eventTypes)[number]
