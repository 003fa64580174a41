import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { ReplyDataOf } from '../../src/schemas/define/endpoint.ts'
import {
  notifierPreviewEndpoints,
  type notifierPreviewRequest,
} from '../../src/schemas/endpoints/notifierPreviewEndpoints.ts'
import { maxPushDevices } from '../../src/schemas/endpoints/pushEndpoints.ts'
import { isMailUrl } from '../../src/schemas/formats/mailUrl.ts'
import { isPushUrl, readPushUrl } from '../../src/schemas/formats/pushUrl.ts'
import { notification } from '../../src/schemas/notification.ts'
import { notificationGroup as groups } from '../../src/schemas/notificationGroup.ts'
import { server } from '../../src/schemas/server.ts'
import { eventTypes } from '../../src/schemas/webhooks/eventTypes.ts'
import { newSigningSecret } from '../../src/schemas/webhooks/signingSecret.ts'
import { dropMembers, type EntityHooks, memberGroupHooks, sortedMembers } from '../api/entityHooks.ts'
import { usersIn } from '../auth/users/users.ts'
import type { Store } from '../db/store.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import { entityTable, type Row, type ServerRow } from '../entities/entityTable.ts'
import { route } from '../http/routes/route.ts'
import type { Machines } from '../machines/machines.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import type { OutboundRequest } from '../outbound/sendRequest.ts'
import type { PushKeys } from '../outbound/webPush.ts'
import { isOwner, owns, type Person, teamOfOwner } from '../person.ts'
import { type Messages, messagesOf } from '../site/messages.ts'
import { checkReceiver } from '../webhooks/webhookRequest.ts'
import { ApiError, bodyReader } from '../wire/apiCall.ts'
import { nothingUndelivered } from './attemptDelivery.ts'
import { isTokenLike, notifierSecrets, replyExcerpt } from './excerpts.ts'
import {
  type MessageKind,
  mailOf,
  messageEvent,
  messagePlaceholders,
  type Notifier,
  noDevice,
  notifierRequest,
  type Placeholders,
  prepareNotification,
} from './notifierRequest.ts'
import { addressFormatter, alarmMessage, formatAddresses, serverPlaceholders } from './serverText.ts'

/**
 * Sends a message to a notifier (docs/contract/CONTRACT.md#56-notifiers,
 * docs/contract/CONTRACT.md#9-placeholders-notes-install-commands).
 * @param services `allowPrivate`: whether its URL may be in a private network
 * @throws ApiError with the text of real servers when it could not be sent or the reply is an error
 */
export async function sendToNotifier(
  notifier: Notifier,
  placeholders: Placeholders,
  { allowPrivate, pushKeys }: { allowPrivate: boolean; pushKeys: PushKeys },
): Promise<void> {
  const send = prepareNotification(notifier, placeholders, { kind: 'test', pushKeys })
  const { isSent, code, text } = await send({ allowPrivate })
  if (isSent) return
  const reply = replyExcerpt(text, notifierSecrets(notifier))
  // Real servers send no mail, so they have no words for it.
  if (!notifier.send_events && isMailUrl(notifier.url)) {
    throw new ApiError(`the mail server refused: ${code >= 400 ? `${code} ` : ''}${reply}`)
  }
  throw new ApiError(`${code}@${reply}`)
}

/**
 * Notifiers (docs/contract/CONTRACT.md#56-notifiers): saving one sends a test message first, unless the form says
 * `skip_check`. They are sent what happens on all servers, so they are closed to tokens that are limited to some.
 */
export const notificationHooks = (
  mayCallPrivateTargets: MayCallPrivateTargets,
  pushKeys: PushKeys,
  messages: Messages,
): EntityHooks<typeof notification> => ({
  // Real servers check nothing but the test message: without it, anything is saved.
  validation: 'contract',
  notFoundError: (id) => `notification id ${id} does not exist`,
  async beforeSave({ skip_check, ...form }, { person, ownerId = person?.id ?? 0 }) {
    if (skip_check) return
    // A team's may call what a member's may, whoever saves it.
    const user_id = teamOfOwner(ownerId) > 0 ? ownerId : (person?.id ?? 0)
    const allowPrivate = mayCallPrivateTargets({ user_id })
    await sendToNotifier(form, messagePlaceholders(messages('test')), { allowPrivate, pushKeys })
  },
  validate(form, { store, person, ownerId = person?.id ?? 0 }, row) {
    if (isPushUrl(form.url)) checkDevice(form.url, store, ownerId, row?.id)
    else if (form.send_events) checkReceiver(form)
    // Whoever saves it wants it to get events again, and has put right what was wrong.
    return { ...form, stopped_at: '', ...nothingUndelivered }
  },
  // The phone of somebody who has gone is nobody else's.
  isPersonal: ({ url }) => isPushUrl(url),
  afterDelete: (ids, { store }) => dropMembers(store, groups, 'notifications', ids),
})

/**
 * Checks that a notifier may be a device of its owner.
 * @param id of the notifier, when it is changed @throws ApiError
 */
function checkDevice(url: string, store: Store, ownerId: number, id?: number): void {
  if (!readPushUrl(url)) throw new ApiError(noDevice)
  const isOther = (row: { id: number; url: string }) => row.id !== id && isPushUrl(row.url)
  if (entityTable(store, notification).find({ user_id: ownerId }).filter(isOther).length < maxPushDevices) return
  throw new ApiError(`${maxPushDevices} devices are the most that somebody can have: remove one in your profile first`)
}

/** Removes a notifier that nobody can use any more, and takes it out of its groups and from who chose it. */
export function removeNotifier(store: Store, id: number): void {
  store.transaction(() => {
    entityTable(store, notification).remove([id])
    dropMembers(store, groups, 'notifications', [id])
    const users = usersIn(store)
    for (const { id: userId, notifiers } of users.all()) {
      if (notifiers.includes(id)) users.update(userId, { notifiers: notifiers.filter((one) => one !== id) })
    }
  })
}

/** Notifier groups: what only this server has is checked, too. */
export const notificationGroupHooks: EntityHooks<typeof groups> = {
  ...memberGroupHooks('notifications', 'have invalid notification id'),
  validate(form) {
    const unknown = form.events.find((type) => !eventTypes.some((one) => one === type))
    if (unknown !== undefined) throw new ApiError(`events: there is no event ${unknown.slice(0, 64)}`)
    return { ...form, notifications: sortedMembers(form.notifications) }
  },
}

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
