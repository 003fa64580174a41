import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { pushEndpoints as endpoints } from '../../src/schemas/endpoints/pushEndpoints.ts'
import { isPushUrl, pushUrlOf, readPushUrl } from '../../src/schemas/formats/pushUrl.ts'
import { notification } from '../../src/schemas/notification.ts'
import { usersIn } from '../auth/users/users.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import { addAuditDetails, auditNames, route } from '../http/routes/route.ts'
import type { PushKeys } from '../outbound/webPush.ts'
import { ApiError } from '../wire/apiError.ts'
import { bodyReader } from '../wire/readJson.ts'
import type { Deliveries } from './deliveries.ts'
import { removeNotifier } from './notificationHooks.ts'

interface Services {
  store: Store
  deliveries: Pick<Deliveries, 'lastSentAt'>
  pushKeys: PushKeys
}

/** The devices on which a person has switched messages on. Each is a notifier of theirs. */
export function registerDeviceRoutes(app: FastifyInstance, { store, deliveries, pushKeys }: Services): void {
  const notifiers = entityTable(store, notification)
  const users = usersIn(store)
  const devicesOf = (userId: number) =>
    notifiers.all().filter(({ user_id, url }) => user_id === userId && isPushUrl(url))

  function deviceOnWire({ id, name, url, created_at }: Row<typeof notification>) {
    const last = deliveries.lastSentAt(id)
    const endpoint = readPushUrl(url)?.endpoint ?? ''
    const fingerprint = createHash('sha256').update(endpoint).digest('base64url')
    return { id, name, created_at, fingerprint, ...(last && { last_message_at: last }) }
  }

  route(app, 'pushDevices', endpoints.pushDevices, ({ person }) => ({
    key: pushKeys.publicKey(),
    devices: devicesOf(person?.id ?? 0).map(deviceOnWire),
  }))

  route(
    app,
    { name: 'addPushDevice', audit: 'notification.create' },
    endpoints.addPushDevice,
    bodyReader(endpoints.addPushDevice),
    async (request) => {
      const { person, body } = request
      const userId = person?.id ?? 0
      const { name, ...device } = body
      const url = pushUrlOf(device)
      const records = app.recordsOf('notification')
      const form = {
        name,
        url,
        request_method: 2,
        request_type: 1,
        request_header: '',
        request_body: '',
        verify_tls: true,
      }
      const personNow = () => {
        request.judgeAgain?.()
        return request.person
      }
      const known = devicesOf(userId).find((row) => readPushUrl(row.url)?.endpoint === device.endpoint)
      if (known) await records.update?.(person, known.id, form, personNow)
      const id = known?.id ?? (await records.create(person, form, personNow))
      const removed = leaveOthers(url, id)
      const { notifiers: chosen = [] } = users.get(userId) ?? {}
      if (!chosen.includes(id)) users.update(userId, { notifiers: [...chosen, id] })
      addAuditDetails(request, {
        target: `notification ${id}`,
        detail: { ...auditNames([name]), ...(removed && { removed }) },
      })
      return { id }
    },
  )

  /**
   * Somebody else has used this browser before: it belongs to who switched it on last.
   * @returns what was removed of whom, for the audit log
   */
  function leaveOthers(url: string, id: number): string {
    const others = notifiers.all().filter((other) => other.id !== id && other.url === url)
    for (const other of others) removeNotifier(store, other.id)
    return others.map((other) => `notification ${other.id} of user ${other.user_id}`).join(', ')
  }

  route(app, { name: 'removePushDevice', audit: 'notification.delete' }, endpoints.removePushDevice, (request) => {
    const row = devicesOf(request.person?.id ?? 0).find(({ id }) => id === request.params.id)
    if (!row) throw new ApiError(`device id ${request.params.id} does not exist`)
    removeNotifier(store, row.id)
    addAuditDetails(request, { target: `notification ${row.id}`, detail: auditNames([row.name]) })
  })
}
