import { z } from 'zod'
import { limits } from '../define/limits.ts'
import { checkLimits, defineCheck, innerSecret, optionalText } from './checkKind.ts'

/** A Redis server, or one that speaks as it does. */
export const redisCheck = defineCheck({
  target: 'host_port',
  type: 3,
  secrets: [['password']],
  schema: z.object({
    kind: z.literal('redis'),
    user: optionalText(limits.shortText),
    password: innerSecret(),
    /** The number of a database. */
    database: z.string().trim().max(10).regex(/^\d*$/).default(''),
    /** A command such as `GET key`, whose answer must be a value. */
    query: optionalText(checkLimits.expected),
    tls: z.boolean().default(false),
    verify_tls: z.boolean().default(true),
  }),
})
