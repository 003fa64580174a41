import type { FastifyRequest } from 'fastify'

/**
 * Where the sender of a request reaches this server: what the operator says, else what was asked for, whose host name
 * is checked before any route.
 */
export const ownOrigin = (request: FastifyRequest, publicUrl: URL | undefined): string =>
  publicUrl?.origin ?? `${isOverTls(request) ? 'https' : 'http'}://${request.host}`

/** By the connection, or by the header of a proxy with TLS. */
export const isOverTls = ({ headers, protocol }: FastifyRequest): boolean =>
  protocol === 'https' || headers['x-forwarded-proto'] === 'https'
