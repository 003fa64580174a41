import { z } from 'zod'
import { defineEntity } from './define/entity.ts'
import { choice, moment } from './define/fields.ts'
import { numberFilter, periodFilter, searchFilter, textFilter } from './formats/listFilters.ts'

/** How the delivery of a notification to one notifier ended. */
export const deliveryStates = { 1: 'sent', 2: 'failed', 3: 'dropped', 4: 'stopped', 5: 'retrying' } as const

/** The codes of `deliveryStates` by their names. */
export const deliveryState = {
  sent: 1,
  failed: 2,
  /** Never tried: the queue was full, or it had waited too long. */
  dropped: 3,
  /** The server stopped before it was sent. */
  stopped: 4,
  /** It failed, and will be tried again. Events only: each of their tries is an entry. */
  retrying: 5,
} as const satisfies { [Code in keyof typeof deliveryStates as (typeof deliveryStates)[Code]]: Code }

/** An entry of the embedded server's delivery log; read-only. */
export const delivery = defineEntity({
  name: 'delivery',
  nameField: 'notification_name',
  scopes: { list: 'nezha:notification:read' },
  form: z.object({}),
  computed: z
    .object({
      at: moment(),
      // Numbers instead of references, so that notifiers can be deleted. Names are those at that time.
      notification_id: z.int(),
      notification_name: z.string(),
      notification_group_id: z.int(),
      notification_group_name: z.string(),
      /** The service that it is about. */
      service_id: z.int(),
      /** The incident that it told of. */
      incident_id: z.int(),
      /** The type of an event; absent for messages. */
      event: z.string(),
      /** The id of an event, which all its tries share. */
      webhook_id: z.string(),
      /** The beginning of the message, or what an event is about. */
      message: z.string(),
      state: choice(deliveryStates),
      /** HTTP status of the last reply; absent when there was none. */
      code: z.int(),
      /** The beginning of the last reply, or an error message. */
      reply: z.string(),
      /** How many tries it took; of an event, which try this is. */
      tries: z.int(),
      /** Milliseconds from the first try to the end; of an event, of this try. */
      duration: z.int(),
      /** How many notifications this entry stands for, when several were dropped at once. */
      count: z.int(),
    })
    .partial(),
  api: {
    path: 'wheelhouse/deliveries',
    paging: 'window',
    verbs: [],
    announced: 'deliveries',
    filters: z.object({
      q: searchFilter(),
      state: numberFilter(),
      event: textFilter(),
      notification_id: numberFilter(),
      notification_group_id: numberFilter(),
      service_id: numberFilter(),
      incident_id: numberFilter(),
      at: periodFilter(),
    }),
  },
})
