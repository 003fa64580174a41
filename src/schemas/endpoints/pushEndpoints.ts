import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { line, moment } from '../define/fields.ts'

/** Devices of one person. */
export const maxPushDevices = 20

/** Characters of the address of a push service: those in use have up to some 600. */
const maxEndpoint = 2048

/** A device of the caller that gets messages: a notifier with this id. */
export const pushDevice = z.object({
  id: z.int(),
  name: z.string(),
  created_at: moment(),
  /** When it got a message last, of the last 30 days. */
  last_message_at: moment().optional(),
  /** SHA-256 of the address of its push service in base64url, by which a browser knows itself. */
  fingerprint: z.string(),
})

/**
 * The devices on which somebody has switched messages on. Only where `GET /setting` says `wheelhouse.push`. Not for API
 * tokens: it is a browser that is switched on.
 */
export const pushEndpoints = {
  pushDevices: endpoint('GET', 'wheelhouse/push', {
    reply: z.object({
      /** The public key of the server, which a browser needs to let it send: a point on P-256 in base64url. */
      key: z.string(),
      devices: z.array(pushDevice),
    }),
  }),
  /**
   * Makes a notifier of this device and sends it a test message; a device that is one already gets the name. It is among
   * those by which its owner is told while on duty.
   */
  addPushDevice: endpoint('POST', 'wheelhouse/push', {
    body: z.object({
      name: line(64).min(1),
      endpoint: z.url({ protocol: /^https$/ }).max(maxEndpoint),
      p256dh: z.string().max(128),
      auth: z.string().max(64),
    }),
    reply: z.object({ id: z.int() }),
  }),
  removePushDevice: endpoint('DELETE', 'wheelhouse/push/:id'),
}
