import { z } from 'zod'
import { bodyLimits, endpoint } from '../define/endpoint.ts'
import { limits } from '../define/fields.ts'

/** What a message can be about: an alarm that begins, one that is over, or the test message. */
export const previewEvents = ['incident', 'resolved', 'test'] as const

/** A notifier as its form has it, and what the message is about. */
export const notifierPreviewRequest = z.object({
  /** The stored notifier, whose hidden texts stand in for those that are empty here. */
  id: z.int().min(1).optional(),
  url: z.string().max(limits.url).default(''),
  request_method: z.int().default(1),
  request_type: z.int().default(1),
  request_header: z.string().max(limits.headers).default(''),
  request_body: z.string().max(limits.body).default(''),
  /** Without it, as stored: where it is turned off, hidden texts do not stand in. */
  verify_tls: z.boolean().nullish(),
  format_metric_units: z.boolean().nullish(),
  send_events: z.boolean().nullish(),
  event: z.enum(previewEvents),
  server_id: z.int().min(1).optional(),
  /** The name of the alert rule in the message. */
  rule: z.string().max(limits.name).default(''),
})

/** The message as it would go out, with `…` in the place of secrets. */
export const notifierPreview = z.object({
  /** `GET` or `POST`; `MAIL` for a mail, `PUSH` for a message to a device. */
  method: z.string(),
  /** The address; of a mail or a message to a device, the server that takes it. */
  url: z.string(),
  /** Names and values; of a mail, its sender, receivers and subject. */
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Absent where nothing is sent but the address. */
  body: z.string().optional(),
})

/** Apart from the others: only the form of a notifier asks. */
export const notifierPreviewEndpoints = {
  /** Shows what a notifier would send, and sends nothing. Only where `GET /setting` says `wheelhouse.notifier_preview`. */
  previewNotifier: endpoint('POST', 'wheelhouse/notification/preview', {
    scopes: ['nezha:notification:read'],
    body: notifierPreviewRequest,
    reply: notifierPreview,
    bodyLimit: bodyLimits.largeForm,
  }),
} as const
