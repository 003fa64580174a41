import { isMailUrl } from '../../src/schemas/formats/mailUrl.ts'
import type { notification } from '../../src/schemas/notification.ts'
import { notificationGroup as groups } from '../../src/schemas/notificationGroup.ts'
import { eventTypes } from '../../src/schemas/webhooks/eventTypes.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import { dropMembers, memberGroupHooks, sortedMembers } from '../api/memberGroupHooks.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import type { Messages } from '../site/messages.ts'
import { checkReceiver } from '../webhooks/webhookRequest.ts'
import { ApiError } from '../wire/apiError.ts'
import { notifierSecrets, replyExcerpt } from './excerpts.ts'
import { messagePlaceholders, type Notifier, type Placeholders } from './notifierRequest.ts'
import { prepareNotification } from './prepareNotification.ts'
import { nothingUndelivered } from './undelivered.ts'

/**
 * Sends a message to a notifier (docs/contract/CONTRACT.md#56-notifiers,
 * docs/contract/CONTRACT.md#9-placeholders-notes-install-commands).
 * @param allowPrivate whether its URL may be in a private network
 * @throws ApiError with the text of real servers when it could not be sent or the reply is an error
 */
export async function sendToNotifier(
  notifier: Notifier,
  placeholders: Placeholders,
  allowPrivate: boolean,
): Promise<void> {
  const { isSent, code, text } = await prepareNotification(notifier, placeholders, 'test')({ allowPrivate })
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
  messages: Messages,
): EntityHooks<typeof notification> => ({
  // Real servers check nothing but the test message: without it, anything is saved.
  validation: 'contract',
  notFoundError: (id) => `notification id ${id} does not exist`,
  async beforeSave({ skip_check, ...form }, { person }) {
    if (skip_check) return
    await sendToNotifier(
      form,
      messagePlaceholders(messages('test')),
      mayCallPrivateTargets({ user_id: person?.id ?? 0 }),
    )
  },
  validate(form) {
    if (form.send_events) checkReceiver(form)
    // Whoever saves it wants it to get events again, and has put right what was wrong.
    return { ...form, stopped_at: '', ...nothingUndelivered }
  },
  afterDelete: (ids, { store }) => dropMembers(store, groups, 'notifications', ids),
})

/** Notifier groups: what only this server has is checked, too. */
export const notificationGroupHooks: EntityHooks<typeof groups> = {
  ...memberGroupHooks('notifications', 'have invalid notification id'),
  validate(form) {
    const unknown = form.events.find((type) => !eventTypes.some((one) => one === type))
    if (unknown !== undefined) throw new ApiError(`events: there is no event ${unknown.slice(0, 64)}`)
    return { ...form, notifications: sortedMembers(form.notifications) }
  },
}
