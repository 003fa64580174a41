import type { FastifyRequest } from 'fastify'

/**
 * Where browsers reach this server: what the operator says, else what this visitor has asked for, whose host name was
 * checked before any route.
 */
export const originOf = ({ protocol, host }: FastifyRequest, publicUrl: URL | undefined): string =>
  publicUrl?.origin ?? `${protocol}://${host}`
