import { errorCause } from '../../src/domain/errors.ts'
import { fieldsIn } from '../../src/schemas/define/values.ts'

/**
 * Why a connection or a request failed, in words for people: never the text of a library, which speaks of its own
 * options. What real servers say has their words (docs/contract/CONTRACT.md#56-notifiers).
 * @param cause what was thrown; its code decides
 */
export function failureReason(cause: unknown): string {
  const inner = errorCause(cause)
  const name = failureCode(cause)
  const words = reasons[name] ?? patterns.find(([pattern]) => pattern.test(name))?.[1]
  if (words) return words
  if (inner) return failureReason(inner)
  return /^[A-Z][A-Z0-9_]+$/.test(name) ? `the connection failed (${name})` : 'the connection failed'
}

/** The code of an error. Node has one for all errors of TLS that it meets while it writes: they are told apart here. */
export function failureCode(cause: unknown): string {
  const { code = '', message = '' } = fieldsIn(cause)
  const [, reason] = code === 'EPROTO' ? (/SSL routines:[^:]*:([^:]+):/.exec(String(message)) ?? []) : []
  return reason ? `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}` : String(code)
}

/** The connection was closed before anything of a reply had come. */
export class ClosedWithoutReplyError extends Error {
  readonly code = 'ERR_CLOSED_WITHOUT_REPLY'
}

const untrusted =
  'the certificate is signed by an authority that is not trusted here, or the one in between is not sent'
const selfSigned = 'self-signed certificate, which is not trusted here'
const timeout = 'i/o timeout'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EPIPE: 'connection reset by peer',
  ECONNABORTED: 'connection reset by peer',
  ERR_CLOSED_WITHOUT_REPLY: 'the connection was closed without a reply',
  ETIMEDOUT: timeout,
  ESOCKETTIMEDOUT: timeout,
  UND_ERR_CONNECT_TIMEOUT: timeout,
  UND_ERR_HEADERS_TIMEOUT: timeout,
  UND_ERR_BODY_TIMEOUT: timeout,
  UND_ERR_SOCKET: 'the connection was closed without a reply',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the reply are too long',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name cannot be looked up now: no name server answers',
  EHOSTUNREACH: 'no route to host',
  EHOSTDOWN: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ENETDOWN: 'network is unreachable',
  EADDRNOTAVAIL: 'network is unreachable from this machine',
  EACCES: 'this machine may not open the connection',
  EPERM: 'this machine may not open the connection',
  EMFILE: 'this server has too many open files',
  ENFILE: 'this machine has too many open files',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  CERT_REVOKED: 'the certificate is revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  HOSTNAME_MISMATCH: 'the certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_UNTRUSTED: untrusted,
  ERR_SSL_WRONG_VERSION_NUMBER: 'the port does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the port does not speak TLS',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'there is no version of TLS that both sides speak',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'there is no version of TLS that both sides speak',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the other side asks for a certificate by TLS',
  HPE_HEADER_OVERFLOW: 'the headers of the reply are too long',
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/CERT|^INVALID_CA$|^PATH_LENGTH_EXCEEDED$|^INVALID_PURPOSE$/, 'the certificate is not accepted'],
  [/^ERR_(SSL|TLS)_|^EPROTO$/, 'the TLS handshake failed'],
  [/^HPE_/, 'the reply is no HTTP'],
  [/^ERR_HTTP2_/, 'the reply is no valid HTTP/2'],
  [
    /^(ERR_INVALID_CHAR|ERR_INVALID_HTTP_TOKEN|ERR_HTTP_INVALID_HEADER_VALUE)$/,
    'a header has characters that cannot be sent',
  ],
]
