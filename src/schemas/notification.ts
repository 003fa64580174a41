import { z } from 'zod'
import { bodyLimits } from './define/endpoint.ts'
import { defineEntity, scopesOfArea } from './define/entity.ts'
import { choice, clearSecrets, facts, flag, limits, moment, name, secret } from './define/fields.ts'
import { ofTeam } from './define/team.ts'
import { addressOrigin } from './formats/addressOrigin.ts'
import { isMailUrl, readMailUrl } from './formats/mailUrl.ts'
import { requestTypes } from './formats/requestTypes.ts'
import { isStringMap } from './formats/stringMap.ts'
import { isSigningSecret } from './webhooks/signingSecret.ts'

/**
 * HTTP methods of notifiers; the wire's other numbers are for DDNS webhooks
 * (docs/contract/CONTRACT.md#56-notifiers).
 */
export const notifierMethods = { 1: 'get', 2: 'post' } as const

const concealed = { kind: 'multiline', concealedBy: 'url' } as const
const embeddedOnly = { newer: true, announced: 'webhooks' } as const
const needsPairs = { params: { key: 'validation.text_pairs' } }

/**
 * A notifier: a URL that is called with the message or, on the embedded server, to which the message is mailed. There it
 * may also be a device of its owner (`pushUrl.ts`), which is set up there (`pushEndpoints.ts`). Servers
 * hide `url`, `request_header` and `request_body` in their replies, and keep the stored value where an update has `""`.
 * The embedded server keeps them only while scheme, host and port of the address stay as they are, and while TLS is
 * verified if it was.
 */
export const notification = defineEntity({
  name: 'notification',
  scopes: scopesOfArea('notification'),
  api: { bodyLimit: bodyLimits.largeForm },
  destination({ url, verify_tls }) {
    const address = addressOrigin(String(url ?? ''))
    return { address, isVerified: verify_tls === true && !address.startsWith('http:') }
  },
  form: z
    .object({
      name: name(),
      url: z
        .url({ protocol: /^(https?|smtps?|webpush)$/ })
        .max(limits.url)
        .refine((url) => !isMailUrl(url) || readMailUrl(url) !== undefined, {
          params: { key: 'validation.mail_url' },
        })
        .register(facts, { concealedBy: 'url' }),
      request_method: choice(notifierMethods).default(1),
      request_type: choice(requestTypes).default(1),
      request_header: z
        .string()
        .max(limits.headers)
        .refine((text) => text.trim() === '' || isStringMap(text), needsPairs)
        .register(facts, concealed)
        .default(''),
      request_body: z.string().max(limits.body).register(facts, concealed).default(''),
      verify_tls: flag(true),
      format_metric_units: z.boolean().register(facts, { newer: true }).optional(),
      /** It gets the events of its groups as JSON, signed, in place of messages. Embedded server only. */
      send_events: z.boolean().register(facts, embeddedOnly).optional(),
      /** The key of the signatures; a new notifier that gets events needs one. */
      signing_secret: secret()
        .refine((text) => text === '' || isSigningSecret(text), { params: { key: 'validation.signing_secret' } })
        .register(facts, { kind: 'secret', ...embeddedOnly })
        .optional(),
      ...ofTeam(),
      clear_secrets: clearSecrets('request_header', 'request_body', 'signing_secret'),
      skip_check: z.boolean().register(facts, { transient: true, unattended: true }).optional(),
    })
    .superRefine(({ url, send_events, request_method, request_type, request_body: body }, context) => {
      if (send_events && isMailUrl(url)) {
        const params = { key: 'validation.no_events_by_mail', validatedWith: ['send_events'] }
        context.addIssue({ code: 'custom', path: ['url'], params })
      }
      const isForm = request_method === 2 && request_type === 2
      if (isForm && body.trim() !== '' && !isStringMap(body)) {
        const params = { ...needsPairs.params, validatedWith: ['request_type', 'request_method'] }
        context.addIssue({ code: 'custom', path: ['request_body'], params })
      }
    }),
  computed: z.object({
    /** When its receiver answered 410 to an event: it gets none until it is saved again. */
    stopped_at: moment().optional(),
    /** Since when messages or events to it were given up; absent once one has arrived, or somebody has put it aside. */
    undelivered_at: moment().optional(),
    /** Why, for the latest of them: status and beginning of the reply; absent where it was never tried. */
    undelivered_cause: z.string().optional(),
  }),
})
