/** The cookies of one request and its redirects: many pages set one, and redirect to themselves until it comes back. */
export interface CookieJar {
  /** Keeps what a reply of this URL sets. */
  store(url: URL, setCookie: readonly string[]): void
  /** The header for a request, `undefined` without cookies. */
  header(url: URL): string | undefined
}

interface Cookie {
  name: string
  value: string
  /** The host that set it, or the domain that it named. */
  domain: string
  includesSubdomains: boolean
  path: string
  isSecure: boolean
}

/** As browsers keep them for one site, and never more than servers take in a header. */
const limits = {
  cookies: 50,
  /** Characters of a cookie. */
  length: 4096,
}

export function createCookieJar(): CookieJar {
  let cookies: Cookie[] = []

  const matches = (cookie: Cookie, { hostname, pathname, protocol }: URL) =>
    (hostname === cookie.domain || (cookie.includesSubdomains && isBelow(hostname, cookie.domain))) &&
    (pathname === cookie.path || pathname.startsWith(cookie.path.endsWith('/') ? cookie.path : `${cookie.path}/`)) &&
    (!cookie.isSecure || protocol === 'https:')

  return {
    store(url, setCookie) {
      for (const text of setCookie) {
        const { cookie, isDeleted } = readCookie(text, url) ?? {}
        if (!cookie) continue
        cookies = cookies.filter(
          ({ name, domain, path }) => name !== cookie.name || domain !== cookie.domain || path !== cookie.path,
        )
        if (!isDeleted && cookies.length < limits.cookies) cookies.push(cookie)
      }
    },
    header(url) {
      const sent = cookies.filter((cookie) => matches(cookie, url))
      return sent.length > 0 ? sent.map(({ name, value }) => `${name}=${value}`).join('; ') : undefined
    },
  }
}

function readCookie(text: string, url: URL): { cookie: Cookie; isDeleted: boolean } | undefined {
  const [pair = '', ...attributes] = text.split(';').map((part) => part.trim())
  // Without a pattern, which takes long for thousands of blanks.
  const end = pair.indexOf('=')
  const [name, value] = [pair.slice(0, Math.max(0, end)).trim(), pair.slice(end + 1).trim()]
  // What cannot be sent back is no cookie.
  if (name === '' || pair.length > limits.length || !/^[\x20-\x7e\x80-\xff]*$/.test(pair)) return undefined
  const given = new Map(
    attributes.map((attribute) => {
      const [key = '', ...rest] = attribute.split('=')
      return [key.trim().toLowerCase(), rest.join('=').trim()] as const
    }),
  )
  const domain = given.get('domain')?.replace(/^\./, '').toLowerCase() ?? ''
  if (domain && domain !== url.hostname && !(domain.includes('.') && isBelow(url.hostname, domain))) return undefined
  const path = given.get('path')
  const maxAge = given.get('max-age')
  const expires = Date.parse(given.get('expires') ?? '')
  return {
    cookie: {
      name,
      value,
      domain: domain || url.hostname,
      includesSubdomains: domain !== '',
      path: path?.startsWith('/') ? path : url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf('/'))),
      isSecure: given.has('secure'),
    },
    isDeleted: maxAge === undefined ? expires <= Date.now() : Number(maxAge) <= 0,
  }
}

const isBelow = (hostname: string, domain: string) => hostname.endsWith(`.${domain}`) && !/^[\d.]+$/.test(hostname)
