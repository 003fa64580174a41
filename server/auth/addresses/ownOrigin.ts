import type { FastifyRequest } from 'fastify'
import { isBehindProxy } from './clientAddress.ts'

interface OriginSettings {
  publicUrl?: URL
  /** The setting `web_real_ip_header`. */
  realIpHeader: string
}

/**
 * Where the sender of a request reaches this server: what the operator says, else what was asked for, whose host name
 * is checked before any route.
 */
export const ownOrigin = (request: FastifyRequest, { publicUrl, realIpHeader }: OriginSettings): string =>
  publicUrl?.origin ?? `${isOverTls(request, realIpHeader) ? 'https' : 'http'}://${request.host}`

/** By the connection, or by the header of a proxy with TLS, where the settings say that there is one. */
export const isOverTls = ({ headers, protocol }: FastifyRequest, realIpHeader: string): boolean =>
  protocol === 'https' || (isBehindProxy(realIpHeader) && headers['x-forwarded-proto'] === 'https')
