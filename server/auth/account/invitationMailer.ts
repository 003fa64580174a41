import { errorMessage } from '../../../src/domain/errors.ts'
import { isMailUrl, readMailUrl } from '../../../src/schemas/formats/mailUrl.ts'
import { notification } from '../../../src/schemas/notification.ts'
import { createTokenBuckets } from '../../concurrency/tokenBucket.ts'
import type { Store } from '../../db/store.ts'
import { entityTable } from '../../entities/entityTable.ts'
import type { Row } from '../../entities/row.ts'
import type { MayCallPrivateTargets } from '../../outbound/privateTargets.ts'
import { sendMail } from '../../outbound/sendMail.ts'
import type { Person } from '../../person.ts'
import { messageIn } from '../../site/messages.ts'
import { readSite } from '../../site/site.ts'
import { ApiError } from '../../wire/apiError.ts'

type NotifierRow = Row<typeof notification>

interface MailRequest {
  notification_id: number
  to: string
  /** The code of a language. */
  language: string
}

interface Sent {
  mailed: boolean
  mail_error?: string
}

/** Mails invitations by a notifier of the person who invites: the mail server is theirs, the recipient is another one. */
export interface InvitationMailer {
  /** The notifiers of a person that send mail. */
  notifiersOf(userId: number): NotifierRow[]
  /**
   * Checks what was asked for, before there is an invitation, and counts it.
   * @returns sends the mail; never rejects @throws ApiError
   */
  mailTo(person: Person, request: MailRequest): (url: string) => Promise<Sent>
}

/** Mails of a person: an address that was typed may be anybody's. */
const rate = { burst: 20, perSecond: 1 / 180 } as const
/** Characters of a subject. */
const maxSubject = 200

export function createInvitationMailer(store: Store, mayCallPrivateTargets: MayCallPrivateTargets): InvitationMailer {
  const notifiers = entityTable(store, notification)
  const byPerson = createTokenBuckets(rate)

  const notifiersOf = (user_id: number) => notifiers.find({ user_id }).filter(({ url }) => isMailUrl(url))

  return {
    notifiersOf,
    mailTo(person, { notification_id, to, language }) {
      const notifier = notifiersOf(person.id).find(({ id }) => id === notification_id)
      const address = notifier && readMailUrl(notifier.url)
      if (!notifier || !address) {
        throw new ApiError('mail: choose one of your own notifiers that sends mail, or send the link yourself')
      }
      if (!byPerson.take(String(person.id))) {
        throw new ApiError('too many invitations were mailed: wait some minutes, or send the link yourself', 429)
      }
      const values = { name: person.username, site: readSite(store).site_name || 'Wheelhouse' }
      return async (url) => {
        const subject = messageIn(store, language, 'invitation_subject', values)
        try {
          const { isSent, text } = await sendMail(
            {
              url: { ...address, to: [to] },
              subject: subject.replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, maxSubject),
              text: messageIn(store, language, 'invitation_text', { ...values, url }),
              verifyTls: notifier.verify_tls,
            },
            { allowPrivate: mayCallPrivateTargets(notifier) },
          )
          return isSent ? { mailed: true } : { mailed: false, mail_error: text }
        } catch (error) {
          return { mailed: false, mail_error: errorMessage(error) }
        }
      }
    },
  }
}
