import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import {
  notifierPreviewEndpoints,
  type notifierPreviewRequest,
} from '../../src/schemas/endpoints/notifierPreviewEndpoints.ts'
import { notification } from '../../src/schemas/notification.ts'
import { server } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row, ServerRow } from '../entities/row.ts'
import { route } from '../http/routes/route.ts'
import type { Machines } from '../machines/machines.ts'
import { isOwner, owns, type Person } from '../person.ts'
import { messagesOf } from '../site/messages.ts'
import { ApiError } from '../wire/apiError.ts'
import { bodyReader } from '../wire/readJson.ts'
import { alarmMessage } from './alarmMessage.ts'
import { addressFormatter, formatAddresses } from './maskAddress.ts'
import { messagePlaceholders } from './notifierRequest.ts'
import { previewNotification } from './previewNotification.ts'
import { serverPlaceholders } from './serverPlaceholders.ts'

type PreviewRequest = z.output<typeof notifierPreviewRequest>

interface PreviewServices {
  store: Store
  machines: Pick<Machines, 'connected' | 'wireReport'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** Shows the message of a notifier, stored or not, as it would go out about a server. */
export function registerNotifierPreview(app: FastifyInstance, { store, machines, now }: PreviewServices): void {
  const notifiers = entityTable(store, notification)
  const servers = entityTable(store, server)
  const { keepConcealed } = compileEntity(notification)
  const messages = messagesOf(store)

  /** The stored notifier, whose texts only its owner sees. */
  function storedOf(id: number, person: Person | undefined): Row<typeof notification> {
    const row = notifiers.get(id)
    if (!row) throw new ApiError(`notification id ${id} does not exist`)
    if (!owns(person, row)) throw new ApiError('permission denied')
    if (!isOwner(person, row.user_id)) throw new ApiError('only the owner of a notifier may see its message')
    return row
  }

  function completed(form: PreviewRequest, person: Person | undefined): PreviewRequest {
    if (form.id === undefined) return form
    const stored = storedOf(form.id, person)
    return keepConcealed({ ...form, verify_tls: form.verify_tls ?? stored.verify_tls }, stored)
  }

  function serverOf(id: number | undefined, person: Person | undefined): ServerRow | undefined {
    const row = id === undefined ? undefined : servers.get(id)
    if (id !== undefined && (!row || !owns(person, row))) throw new ApiError(`server id ${id} does not exist`)
    return row
  }

  const endpoint = notifierPreviewEndpoints.previewNotifier
  route(app, 'previewNotifier', endpoint, bodyReader(endpoint), ({ body: form, person }) => {
    const { url, request_method, request_type, request_header, request_body } = completed(form, person)
    const row = serverOf(form.server_id, person)
    const report = row && machines.connected(row) ? machines.wireReport(row) : undefined
    const address = report ? formatAddresses(report.geoip.ip, addressFormatter(store)) : ''
    const key = form.event === 'incident' ? 'alarm_began' : 'alarm_ended'
    const message =
      form.event === 'test' || !row
        ? messages('test')
        : alarmMessage(messages, { key, server: row, address, rule: form.rule ?? '' })
    return previewNotification(
      {
        url,
        request_method,
        request_type,
        request_header,
        request_body,
        verify_tls: true,
        send_events: form.send_events,
      },
      {
        ...messagePlaceholders(message, now()),
        ...(row && form.event !== 'test' && serverPlaceholders(row, report, form.format_metric_units === true)),
      },
      form.event === 'test' ? 'test' : 'message',
    )
  })
}
