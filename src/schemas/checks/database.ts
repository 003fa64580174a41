import { z } from 'zod'
import { limits } from '../define/fields.ts'
import { isObject } from '../define/values.ts'
import { checkLimits, defineCheck, innerSecret, optionalText } from './checkKind.ts'

/** What all database servers have in common. Without a user, they are only asked whether they answer as such. */
const database = {
  target: 'host_port',
  secrets: [['password']],
} as const

const fields = {
  user: optionalText(limits.shortText),
  password: innerSecret(),
  /** The name of a database. For MongoDB: the one that knows the user. Empty: the usual one. */
  database: optionalText(limits.shortText),
  /** A query that must give a row. For MongoDB: a command in JSON. */
  query: optionalText(checkLimits.expected),
  tls: z.boolean().default(false),
  verify_tls: z.boolean().default(true),
} as const

/** A query is asked as somebody. */
const isAsked = ({ user, query }: { user: string; query: string }) => query === '' || user !== ''
const bySomebody = { path: ['user'], params: { key: 'validation.required' } }

/** A PostgreSQL server. */
export const postgresCheck = defineCheck({
  ...database,
  schema: z.object({ kind: z.literal('postgres'), ...fields }).refine(isAsked, bySomebody),
})

/** A MySQL or MariaDB server. */
export const mysqlCheck = defineCheck({
  ...database,
  schema: z.object({ kind: z.literal('mysql'), ...fields }).refine(isAsked, bySomebody),
})

/** Whether a text is an object in JSON. */
function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text))
  } catch {
    return false
  }
}

/** A MongoDB server. */
export const mongodbCheck = defineCheck({
  ...database,
  schema: z.object({
    kind: z.literal('mongodb'),
    ...fields,
    query: fields.query.refine((text) => text === '' || isJsonObject(text), {
      params: { key: 'validation.json_object' },
    }),
  }),
})

/** A Redis server, or one that speaks as it does. */
export const redisCheck = defineCheck({
  target: 'host_port',
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
