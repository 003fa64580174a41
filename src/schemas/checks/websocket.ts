import { z } from 'zod'
import { checkLimits, defineCheck, headerMap, innerSecret, optionalText } from './checkKind.ts'

/** A WebSocket that opens, and answers a message. */
export const websocketCheck = defineCheck({
  target: 'socket_url',
  type: 3,
  secrets: [['headers', '*'], ['send']],
  schema: z.object({
    kind: z.literal('websocket'),
    headers: headerMap(),
    /** A message. */
    send: innerSecret(checkLimits.sent),
    /** Must be in a message that comes back. */
    expect: optionalText(checkLimits.expected),
    verify_tls: z.boolean().default(true),
  }),
})
