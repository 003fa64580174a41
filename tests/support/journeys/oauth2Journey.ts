import type { Browser, Reply } from '../console/browser.ts'

interface Start {
  data?: { redirect: string }
}

/** Begins a visit. @returns where the browser is sent @throws when the server refuses */
export async function beginVisit(browser: Browser, provider: string, type = 1): Promise<URL> {
  const { body, text } = await browser.get(`oauth2/${encodeURIComponent(provider)}?type=${type}`)
  const { data } = body as Start
  if (!data) throw new Error(text)
  return new URL(data.redirect)
}

/** Goes through the provider's pages, with a browser's cookies. @returns where it sends the browser in the end */
export async function passProvider(address: URL): Promise<URL> {
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

/** Comes back from the provider. */
export const comeBack = (browser: Browser, { pathname, search }: URL): Promise<Reply> => browser.get(pathname + search)

/** All of it: there and back. */
export const visit = async (browser: Browser, provider: string, type = 1): Promise<Reply> =>
  comeBack(browser, await passProvider(await beginVisit(browser, provider, type)))
