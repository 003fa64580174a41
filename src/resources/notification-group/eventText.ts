import { eventTypes } from '../../schemas/webhooks/eventTypes.ts'

/** The name of an event in words; one that this console does not know as it is. */
export const eventText = (type: string, translate: (key: string) => string): string =>
  eventTypes.some((one) => one === type)
    ? translate(`resources.notification-group.values.${type.replaceAll('.', '_')}`)
    : type
