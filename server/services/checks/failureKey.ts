import { errorCause } from '../../../src/domain/errors.ts'
import type { CheckReason } from '../../../src/schemas/endpoints/checkEndpoints.ts'
import { ChecksNotPermittedError, ConnectError } from '../../machines/hosts/host.ts'
import { failureCode } from '../../outbound/failureReason.ts'
import { TooManyRedirectsError } from '../../outbound/guardedRequest.ts'
import { LookupError, TargetNotAllowedError } from '../../outbound/resolveTarget.ts'

/** The reason why a check could not be made or has failed, by what was thrown. `undefined` for an error of this program. */
export function failureKey(error: unknown, isTimeout: boolean): CheckReason | undefined {
  for (const cause of causesOf(error)) {
    if (cause instanceof ChecksNotPermittedError) return reason(cause.reason)
    if (cause instanceof TargetNotAllowedError) return reason('target_not_allowed')
  }
  if (isTimeout) return reason('timeout')
  for (const cause of causesOf(error)) {
    if (cause instanceof TooManyRedirectsError) return reason('redirects')
    if (cause instanceof LookupError) return reason(cause.code === 'ENOTFOUND' ? 'no_host' : 'lookup')
    const code = failureCode(cause)
    const key = keys[code] ?? patterns.find(([pattern]) => pattern.test(code))?.[1]
    if (key) return reason(key)
    if (cause instanceof ConnectError) return reason('unreachable')
  }
  return undefined
}

/** An error, its cause, and so on. */
export function* causesOf(error: unknown): Iterable<unknown> {
  for (let cause = error; cause; cause = errorCause(cause)) yield cause
}

const reason = (key: string): CheckReason => ({ key, values: {} })

const keys: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
  ERR_CLOSED_WITHOUT_REPLY: 'closed',
  ERR_STREAM_PREMATURE_CLOSE: 'closed',
  ETIMEDOUT: 'timeout',
  ABORT_ERR: 'timeout',
  ENOTFOUND: 'no_host',
  EAI_AGAIN: 'lookup',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EMFILE: 'busy',
  ENFILE: 'busy',
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_early',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_name',
  HOSTNAME_MISMATCH: 'certificate_name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_self_signed',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no_tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no_tls',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'tls_version',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'tls_version',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'certificate_asked',
  ERR_NO_HTTP2: 'no_http2',
  ERR_PROXY_REFUSED: 'proxy',
  HPE_HEADER_OVERFLOW: 'head_too_long',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'two_lengths',
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/NO_APPLICATION_PROTOCOL$/, 'no_http1'],
  [/CERT|^UNABLE_TO_|^INVALID_CA$|^PATH_LENGTH_EXCEEDED$|^INVALID_PURPOSE$/, 'certificate_untrusted'],
  [/^ERR_(SSL|TLS|OSSL)_|^EPROTO$/, 'tls'],
  [/^HPE_/, 'no_http'],
  [/^ERR_HTTP2_/, 'no_http2'],
  [/^(ERR_INVALID_CHAR|ERR_INVALID_HTTP_TOKEN|ERR_HTTP_INVALID_HEADER_VALUE)$/, 'bad_header'],
]
