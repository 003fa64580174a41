import type { Browser, Reply } from '../console/browser.ts'

interface Start {
  data?: { redirect: string }
}

/** Starts a sign-in or a binding. @returns the URL of the provider @throws when the server refuses */
export async function startAtProvider(browser: Browser, provider: string, type = 1): Promise<URL> {
  const { body, text } = await browser.get(`oauth2/${encodeURIComponent(provider)}?type=${type}`)
  const { data } = body as Start
  if (!data) throw new Error(text)
  return new URL(data.redirect)
}

/** Goes through the provider's pages with cookies. @returns the callback URL */
export async function authorizeAtProvider(address: URL): Promise<URL> {
  const cookies = new Map<string, string>()
  let next = address
  for (let step = 0; step < 10; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = reply.headers.get('location')
    if (!location) throw new Error(`The provider stopped at ${next.pathname}: ${reply.status} ${await reply.text()}`)
    next = new URL(location, next)
    if (next.host !== address.host) return next
  }
  throw new Error('The provider leads in circles.')
}

/** Opens the callback URL. */
export const openCallback = (browser: Browser, { pathname, search }: URL): Promise<Reply> =>
  browser.get(pathname + search)

/** All steps of a sign-in or a binding. */
export const signInAtProvider = async (browser: Browser, provider: string, type = 1): Promise<Reply> =>
  openCallback(browser, await authorizeAtProvider(await startAtProvider(browser, provider, type)))
