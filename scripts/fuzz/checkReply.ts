import { z } from 'zod'
import type { DescribedRoute } from '../../tests/support/server/routes/describedRoutes.ts'
import type { FuzzRequest } from './requests.ts'

export interface FuzzReply {
  status: number
  /** Content type, '' when there is none. */
  type: string
  text: string
  /** Of every Set-Cookie header. */
  cookies: string[]
}

/** HTTP statuses besides 200 with which a server may answer: a part of a file, another address, a refusal. */
const others = new Set([206, 301, 302, 304, 307, 400, 403, 404, 406, 413, 414, 415, 416, 426, 429, 431])

const schemas = new WeakMap<DescribedRoute, z.ZodType>()

/** What is wrong with a reply: nothing, or a sentence. */
export function checkReply({ method, route }: FuzzRequest, { status, type, text }: FuzzReply): string | undefined {
  if (status >= 500) return `HTTP ${status}: ${text.slice(0, 200)}`
  if (status === 413 && !/^\{"error":"request body too large: at most \d/.test(text))
    return `HTTP 413 without the limit: ${text.slice(0, 200)}`
  if (status !== 200) return others.has(status) ? undefined : `HTTP ${status} is no answer for a client`
  if (method === 'HEAD' || !route) return undefined
  if (!type.startsWith('application/json')) return `a reply of the type "${type}"`
  const envelope = parse(text)
  if (envelope === undefined) return `a reply that is no JSON: ${text.slice(0, 200)}`
  const result = schemaOf(route).safeParse(envelope)
  return result.success ? undefined : `a reply outside its schema: ${text.slice(0, 300)} (${wordsOf(result.error)})`
}

function schemaOf(route: DescribedRoute): z.ZodType {
  const compiled = schemas.get(route)
  if (compiled) return compiled
  if (!route.reply) throw new Error(`${route.name} describes no reply.`)
  const schema = z.fromJSONSchema(route.reply as Parameters<typeof z.fromJSONSchema>[0])
  schemas.set(route, schema)
  return schema
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller says so.
    return undefined
  }
}

const wordsOf = (error: z.ZodError) => z.prettifyError(error).replaceAll('\n', ' ').slice(0, 300)
