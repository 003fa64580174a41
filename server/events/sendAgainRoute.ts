import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { addAuditDetails, auditNames } from '../http/routes/auditAction.ts'
import { route } from '../http/routes/route.ts'
import type { Deliveries } from '../notifications/deliveries.ts'
import { ApiError } from '../wire/apiError.ts'
import type { EventMessages } from './eventMessages.ts'
import type { EventQueue } from './eventQueue.ts'
import type { Recipients } from './recipients.ts'

interface SendAgainServices {
  deliveries: Pick<Deliveries, 'get'>
  messages: Pick<EventMessages, 'find'>
  queue: Pick<EventQueue, 'add' | 'tick'>
  recipients: Pick<Recipients, 'notifierOf'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** Sends an event again that was sent before, with its id and its body, and with all the tries of a new one. */
export function registerSendAgain(
  app: FastifyInstance,
  { deliveries, messages, queue, recipients, now }: SendAgainServices,
): void {
  route(app, 'sendAgain', endpoints.sendAgain, (request) => {
    const { id } = request.params
    const delivery = deliveries.get(id)
    if (!delivery) throw new ApiError(`delivery id ${id} does not exist`)
    if (!delivery.webhook_id) throw new ApiError('only events can be sent again')
    const notifierId = delivery.notification_id as number
    const notifier = recipients.notifierOf(notifierId)
    if (!notifier) throw new ApiError('the notifier was deleted: there is nobody to send the event to')
    if (!notifier.send_events) throw new ApiError('the notifier gets no events any more: change it, or choose another')
    if (notifier.stopped_at) throw new ApiError('the receiver wants no more events: save the notifier, then send again')
    const message = messages.find(delivery.webhook_id as string, notifierId)
    if (!message) throw new ApiError('the event is not stored any more')
    addAuditDetails(request, { target: `notification ${notifierId}`, detail: auditNames([notifier.name]) })
    queue.add(Object.assign(message, { tries: 0, due_at: now(), created_at: now() }))
    queue.tick()
  })
}
