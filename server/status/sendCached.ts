import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface CachedBody {
  /** With its character set. */
  type: string
  body: string
  /** How long anybody may keep it without asking again. */
  maxAgeSeconds: number
  /** When it last changed, in milliseconds since 1970. */
  modifiedAt?: number
}

/** Sends a body that is the same for everybody, or 304 to a client that has it already. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, maxAgeSeconds, modifiedAt }: CachedBody,
): FastifyReply {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const lastModified = modifiedAt === undefined ? undefined : new Date(modifiedAt).toUTCString()
  reply.header('cache-control', `public, max-age=${maxAgeSeconds}`).header('etag', etag)
  if (lastModified) reply.header('last-modified', lastModified)
  if (hasAlready(request, etag, lastModified)) return reply.code(304).send()
  return reply.type(type).send(body)
}

/** A date has to be equal, not only later: what is hidden makes the body older, and must not stay in caches. */
function hasAlready({ headers }: FastifyRequest, etag: string, lastModified: string | undefined): boolean {
  const tags = headers['if-none-match']
  if (tags === undefined) return lastModified !== undefined && headers['if-modified-since'] === lastModified
  return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
