import type { FastifyInstance } from 'fastify'

/** Finds the path to redirect to: `/api/v1/profile` for `/api/v1/profile/`. */
export interface TrailingSlashRedirects {
  /** The URL without the trailing slash, if there is a route for it; the query stays. */
  withoutSlash(method: string, url: string): string | undefined
}

/** To be called before the routes are registered: it collects them. */
export function createTrailingSlashRedirects(app: FastifyInstance): TrailingSlashRedirects {
  const routes: { methods: string[]; url: string }[] = []
  let patterns: { methods: string[]; path: RegExp }[] | undefined
  app.addHook('onRoute', ({ method, url }) => {
    if (isRedirected(url)) routes.push({ methods: [method].flat(), url })
  })
  return {
    withoutSlash(method, url) {
      const [, path, query = ''] = /^([^?]*)\/(\?.*)?$/.exec(url) ?? []
      if (path === undefined) return undefined
      patterns ??= routes.map(({ methods, url }) => ({ methods, path: patternOf(url) }))
      const hasRoute = patterns.some((pattern) => pattern.methods.includes(method) && pattern.path.test(path))
      return hasRoute ? path + query : undefined
    },
  }
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : escapeRegExp(part)))
  return new RegExp(`^${parts.join('/')}$`)
}

const escapeRegExp = (text: string) => text.replace(/[^\w]/g, '\\$&')

/** Paths of the contract; pages have none to redirect. */
const isRedirected = (url: string) => url.startsWith('/api/') || url === '/mcp'
