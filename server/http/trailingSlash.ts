import type { FastifyInstance } from 'fastify'

/** Finds the path to redirect to: `/api/v1/profile` for `/api/v1/profile/`. */
export interface TrailingSlashRedirects {
  /** The URL without the trailing slash, if there is a route for it; the query stays. */
  withoutSlash(method: string, url: string): string | undefined
}

/** To be called before the routes are registered: it collects them. */
export function createTrailingSlashRedirects(app: FastifyInstance): TrailingSlashRedirects {
  const patterns: { methods: string[]; path: RegExp }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    if (!isRedirected(url)) return
    const path = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : escapeRegExp(part)))
    patterns.push({ methods: [method].flat(), path: new RegExp(`^${path.join('/')}$`) })
  })
  return {
    withoutSlash(method, url) {
      const [, path, query = ''] = /^([^?]*)\/(\?.*)?$/.exec(url) ?? []
      if (path === undefined) return undefined
      const hasRoute = patterns.some((pattern) => pattern.methods.includes(method) && pattern.path.test(path))
      return hasRoute ? path + query : undefined
    },
  }
}

const escapeRegExp = (text: string) => text.replace(/[^\w]/g, '\\$&')

/** Paths of the contract; pages have none to redirect. */
const isRedirected = (url: string) => url.startsWith('/api/') || url === '/mcp'
