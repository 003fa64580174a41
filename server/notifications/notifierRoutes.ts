import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { notification } from '../../src/schemas/notification.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails, auditNames } from '../http/routes/auditAction.ts'
import { route } from '../http/routes/route.ts'
import { isOwner, owns } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import type { NotifierRow } from './attemptDelivery.ts'
import type { NotifierTests } from './notifications.ts'
import type { Undelivered } from './undelivered.ts'

/** Tests of one person at the same time: they share the places of notifications that are sent. */
const maxTestsPerPerson = 10

/** What people do with a stored notifier: test it, look up its address, and put aside what it did not deliver. */
export function registerNotifierRoutes(
  app: FastifyInstance,
  { store, notifications, undelivered }: { store: Store; notifications: NotifierTests; undelivered: Undelivered },
): void {
  const notifiers = entityTable(store, notification)
  const running = new Map<number, number>()

  function notifierOf(id: number): NotifierRow {
    const row = notifiers.get(id)
    if (!row) throw new ApiError(`notification id ${id} does not exist`)
    // The row has every column of the entity.
    return row as unknown as NotifierRow
  }

  async function limited<T>(personId: number, work: () => Promise<T>): Promise<T> {
    const count = running.get(personId) ?? 0
    if (count >= maxTestsPerPerson) throw new ApiError(`${count} of your tests are under way: wait until one has ended`)
    running.set(personId, count + 1)
    try {
      return await work()
    } finally {
      const left = (running.get(personId) ?? 1) - 1
      if (left > 0) running.set(personId, left)
      else running.delete(personId)
    }
  }

  route(app, 'testNotifier', endpoints.testNotifier, async (request) => {
    const notifier = notifierOf(request.params.id)
    if (!owns(request.person, notifier)) throw new ApiError('permission denied')
    const { isSent, code, reply } = await limited(request.person?.id ?? 0, () => notifications.sendTest(notifier))
    addAuditDetails(request, {
      target: `notification ${notifier.id}`,
      detail: { ...auditNames([notifier.name]), sent: isSent },
    })
    return { sent: isSent, code, reply }
  })
  route(app, 'dismissUndelivered', endpoints.dismissUndelivered, (request) => {
    const notifier = notifierOf(request.params.id)
    if (!owns(request.person, notifier)) throw new ApiError('permission denied')
    undelivered.clear(notifier.id)
    addAuditDetails(request, { target: `notification ${notifier.id}`, detail: auditNames([notifier.name]) })
  })
  route(app, 'revealNotifier', endpoints.revealNotifier, (request) => {
    const notifier = notifierOf(request.params.id)
    // Administrators may replace the address of somebody else's notifier, but not read the secret in it.
    if (!isOwner(request.person, notifier.user_id))
      throw new ApiError('only the owner of a notifier may see its address')
    addAuditDetails(request, { target: `notification ${notifier.id}`, detail: auditNames([notifier.name]) })
    return { url: notifier.url }
  })
}
