import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { ReplyDataOf } from '../../src/schemas/define/endpoint.ts'
import {
  notifierPreviewEndpoints,
  type notifierPreviewRequest,
} from '../../src/schemas/endpoints/notifierPreviewEndpoints.ts'
import { isMailUrl } from '../../src/schemas/formats/mailUrl.ts'
import { readPushUrl } from '../../src/schemas/formats/pushUrl.ts'
import { notification } from '../../src/schemas/notification.ts'
import { server } from '../../src/schemas/server.ts'
import { newSigningSecret } from '../../src/schemas/webhooks/signingSecret.ts'
import type { Store } from '../db/store.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row, ServerRow } from '../entities/row.ts'
import { route } from '../http/routes/route.ts'
import type { Machines } from '../machines/machines.ts'
import type { OutboundRequest } from '../outbound/sendRequest.ts'
import { isOwner, owns, type Person } from '../person.ts'
import { messagesOf } from '../site/messages.ts'
import { ApiError } from '../wire/apiError.ts'
import { bodyReader } from '../wire/readJson.ts'
import { isTokenLike, notifierSecrets } from './excerpts.ts'
import { addressFormatter, formatAddresses } from './maskAddress.ts'
import {
  type MessageKind,
  mailOf,
  messageEvent,
  messagePlaceholders,
  type Notifier,
  notifierRequest,
  type Placeholders,
} from './notifierRequest.ts'
import { alarmMessage, serverPlaceholders } from './serverPlaceholders.ts'

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

type NotifierPreview = ReplyDataOf<typeof notifierPreviewEndpoints.previewNotifier>

/**
 * The message that a notifier would send, made by the code that sends it, with `…` in the place of everything that may
 * be a secret: passwords, tokens, and the values of headers. Nothing is sent.
 * @throws ApiError when the notifier's fields are invalid
 */
function previewNotification(
  notifier: Notifier,
  placeholders: Placeholders,
  kind: MessageKind = 'message',
): NotifierPreview {
  const names = URL.canParse(notifier.url) ? [...new URL(notifier.url).searchParams.keys()] : []
  const isPlain = (text: string) => text in placeholders || (names.includes(text) && !isTokenLike(text))
  const secrets = notifierSecrets(notifier).filter((text) => !isPlain(text))
  const url = withoutSecrets(notifier.url, secrets)
  if (notifier.send_events) {
    // Any key will do: the signature is not shown.
    const signed = { ...notifier, url, signing_secret: newSigningSecret() }
    const shown = ['content-type', 'webhook-id', 'webhook-timestamp']
    return shownRequest(messageEvent(signed, placeholders, kind), (name) => !shown.includes(name))
  }
  if (isMailUrl(notifier.url)) {
    const { url: mail, subject, text } = mailOf(notifier, placeholders)
    return {
      method: 'MAIL',
      url: `${mail.host}:${mail.port}`,
      headers: [
        { name: 'From', value: mail.from },
        { name: 'To', value: mail.to.join(', ') },
        { name: 'Subject', value: subject },
      ],
      body: text,
    }
  }
  const device = readPushUrl(notifier.url)
  if (device) return { method: 'PUSH', url: new URL(device.endpoint).host, headers: [], body: placeholders.NEZHA ?? '' }
  // Before the placeholders are filled in: what they bring is the message.
  const request = notifierRequest(
    {
      ...notifier,
      url,
      request_body: withoutSecrets(notifier.request_body, secrets.filter(isTokenLike)),
    },
    placeholders,
  )
  return shownRequest(request, (name) => name !== 'content-type')
}

/** @param isHidden whether the value of a header may be a secret */
const shownRequest = (request: OutboundRequest, isHidden: (name: string) => boolean): NotifierPreview => ({
  method: request.method,
  url: request.url,
  headers: Object.entries(request.headers()).map(([name, value]) => ({ name, value: isHidden(name) ? '…' : value })),
  ...(request.body !== undefined && { body: String(request.body) }),
})

const withoutSecrets = (text: string, secrets: readonly string[]) =>
  secrets.reduce((masked, secret) => masked.replaceAll(secret, '…'), text)
