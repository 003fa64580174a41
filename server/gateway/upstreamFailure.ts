import { errorCode, errorMessage } from '../../src/domain/errors.ts'

/** Why there is no reply of the upstream to forward, for the user and the operator. */
export interface UpstreamFailure {
  /** 504 when the upstream is too slow, else 502. */
  status: 502 | 504
  text: string
}

/** Error codes of the system and of the libraries, by their meaning. */
const codes = {
  refused: ['ECONNREFUSED'],
  unknown: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME'],
  unreachable: ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL'],
  slow: ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UPSTREAM_SLOW'],
  silent: ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'],
  expired: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
  otherName: ['ERR_TLS_CERT_ALTNAME_INVALID'],
  untrusted: [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_UNTRUSTED',
  ],
  longHeaders: ['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'],
  noTls: ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO'],
} satisfies Record<string, readonly string[]>

/** Explains a failed connection. */
export function describeFailure(error: unknown, upstream: URL, timeoutMs: number): UpstreamFailure {
  const at = `The server at ${upstream.origin}`
  const code = codeOf(error)
  const is = (kind: keyof typeof codes) => (codes[kind] as readonly string[]).includes(code)
  const fails = (text: string): UpstreamFailure => ({ status: 502, text })
  if (is('slow')) {
    const seconds = `${timeoutMs / 1000} seconds`
    return { status: 504, text: `${at} did not answer within ${seconds}: try again, or look at how busy it is.` }
  }
  if (is('silent')) {
    return {
      status: 504,
      text: `${at} cannot be reached: a firewall may be in the way, or UPSTREAM names a wrong port.`,
    }
  }
  if (is('refused')) return fails(`${at} refuses connections: start it, or correct UPSTREAM.`)
  if (is('unknown')) return fails(`${at} cannot be found: no such host name. Correct UPSTREAM, or the name service.`)
  if (is('unreachable')) return fails(`${at} cannot be reached from here: check the network, or correct UPSTREAM.`)
  if (is('expired')) return fails(`${at} shows a certificate that is not valid today: renew it, or set the clocks.`)
  if (is('otherName')) {
    return fails(`${at} shows a certificate for another name: set UPSTREAM to a name that the certificate has.`)
  }
  if (is('untrusted')) {
    return fails(
      `${at} shows a certificate that is not trusted here: set UPSTREAM_CA to a file with the certificate of who ` +
        'signed it (or its own, if it signed itself), in PEM. NODE_EXTRA_CA_CERTS works as well.',
    )
  }
  if (is('noTls')) return fails(`${at} does not speak TLS on this port: set UPSTREAM to http://${upstream.host}.`)
  if (is('longHeaders')) {
    return fails(`${at} sends headers of more than 16 KiB: have it, or a proxy in between, set fewer cookies.`)
  }
  return fails(`${at} broke the connection off (${code || errorMessage(error)}): try again, or look at its log.`)
}

/** The innermost code: libraries wrap the errors of the system. */
function codeOf(error: unknown): string {
  let code = ''
  for (let at = error; at instanceof Error; at = at.cause ?? (at as AggregateError).errors?.[0]) {
    const current = errorCode(at)
    if (current !== undefined && !current.startsWith('FST_')) code = current
  }
  return code
}
