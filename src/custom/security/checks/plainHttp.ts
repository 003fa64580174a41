import { type Check, links } from './check.ts'

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host)

/** Without TLS, anybody on the network path can read passwords and session tokens. */
export const plainHttp: Check = {
  name: 'plain_http',
  severity: 'error',
  link: links.settings,
  find({ page, server }) {
    const isPagePlain = page.protocol === 'http:' && !isLoopback(page.hostname)
    if (!isPagePlain && !server?.plain_http) return 'nothing'
    return { subjects: isPagePlain ? [{ label: `http://${page.hostname}` }] : [] }
  },
}
