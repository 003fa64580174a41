import { z } from 'zod'
import { limits } from '../define/limits.ts'
import { checkLimits, defineCheck, innerSecret, optionalText } from './checkKind.ts'

/** An MQTT broker, and perhaps a message on a topic. */
export const mqttCheck = defineCheck({
  target: 'host_port',
  type: 3,
  secrets: [['password']],
  schema: z.object({
    kind: z.literal('mqtt'),
    user: optionalText(limits.shortText),
    password: innerSecret(),
    /** A topic, or a filter of topics with `+` and `#`, on which a message must come. */
    topic: optionalText(limits.shortText),
    /** Must be in a message. */
    expect: optionalText(checkLimits.expected),
    /** Seconds in which the message must come; one that the broker has kept comes at once. */
    wait: z.int().min(1).max(8).default(5),
    tls: z.boolean().default(false),
    verify_tls: z.boolean().default(true),
  }),
})
