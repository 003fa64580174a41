import { maxPushDevices } from '../../src/schemas/endpoints/pushEndpoints.ts'
import { isMailUrl } from '../../src/schemas/formats/mailUrl.ts'
import { isPushUrl, readPushUrl } from '../../src/schemas/formats/pushUrl.ts'
import { notification as entity } from '../../src/schemas/notification.ts'
import { notificationGroup as groups } from '../../src/schemas/notificationGroup.ts'
import { eventTypes } from '../../src/schemas/webhooks/eventTypes.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import { dropMembers, memberGroupHooks, sortedMembers } from '../api/memberGroupHooks.ts'
import { usersIn } from '../auth/users/users.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import type { PushKeys } from '../outbound/webPush.ts'
import { teamOfOwner } from '../person.ts'
import type { Messages } from '../site/messages.ts'
import { checkReceiver } from '../webhooks/webhookRequest.ts'
import { ApiError } from '../wire/apiError.ts'
import { notifierSecrets, replyExcerpt } from './excerpts.ts'
import {
  messagePlaceholders,
  type Notifier,
  noDevice,
  type Placeholders,
  prepareNotification,
} from './notifierRequest.ts'
import { nothingUndelivered } from './undelivered.ts'

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
): EntityHooks<typeof entity> => ({
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
  if (entityTable(store, entity).find({ user_id: ownerId }).filter(isOther).length < maxPushDevices) return
  throw new ApiError(`${maxPushDevices} devices are the most that somebody can have: remove one in your profile first`)
}

/** Removes a notifier that nobody can use any more, and takes it out of its groups and from who chose it. */
export function removeNotifier(store: Store, id: number): void {
  store.transaction(() => {
    entityTable(store, entity).remove([id])
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
