import { STATUS_CODES } from 'node:http'

interface Reply {
  status: number
  type?: string
  /** The Location header of the upstream. */
  location?: string
}

/**
 * Explains a reply that no server of this kind sends: another program has that address, or is in between.
 * @param path of the request
 * @returns a sentence; `undefined` when the reply can be forwarded
 */
export function describeUnexpectedReply(
  path: string,
  { status, type = '', location }: Reply,
  upstream: URL,
): string | undefined {
  const at = `The server at ${upstream.origin}`
  const target = location !== undefined && URL.canParse(location, upstream) ? new URL(location, upstream) : undefined
  const isRedirect = status >= 300 && status < 400 && target !== undefined
  if (isRedirect && target.host === upstream.host && target.protocol === 'https:' && upstream.protocol === 'http:') {
    return `${at} wants to be called with TLS: set UPSTREAM to ${target.origin}.`
  }
  if (!path.startsWith('/api/')) return undefined
  if (status === 101) {
    return `${at} answers 101 Switching Protocols where data is expected: set UPSTREAM to the address of a Nezha server.`
  }
  if (isRedirect) {
    // A sign-in at a provider redirects to other hosts.
    if (target.origin === upstream.origin || path.startsWith('/api/v1/oauth2/')) return undefined
    return `${at} leads to ${target.origin} instead of answering: set UPSTREAM to an address that asks for no other sign-in.`
  }
  // Blocked addresses get a page, which the console handles.
  if (!/^text\/html\b/i.test(type) || status === 403) return undefined
  if (status >= 500) {
    return (
      `${at} answers ${status} ${STATUS_CODES[status] ?? ''}`.trim() +
      ' in the name of a server behind it: start that, or look at the log of the proxy.'
    )
  }
  if (status === 413) {
    return `A proxy at ${upstream.origin} takes no body of this size (HTTP 413): allow larger ones there, as by client_max_body_size in nginx.`
  }
  return `${at} answers with a web page (HTTP ${status}) where data is expected: set UPSTREAM to the address of a Nezha server, without a proxy in between that serves pages of its own.`
}
