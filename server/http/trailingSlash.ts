import type { FastifyInstance } from 'fastify'

/** Knows the API's paths, to lead `/api/v1/profile/` to `/api/v1/profile`. */
export interface TrailingSlashRedirects {
  /** The address without the slash at the path's end, if a route takes that; the query stays. */
  withoutSlash(method: string, url: string): string | undefined
}

/** Call it before the routes are registered: it notes each of them. */
export function createTrailingSlashRedirects(app: FastifyInstance): TrailingSlashRedirects {
  const patterns: { methods: string[]; path: RegExp }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    if (!url.startsWith('/api/')) return
    const path = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : literally(part)))
    patterns.push({ methods: [method].flat(), path: new RegExp(`^${path.join('/')}$`) })
  })
  return {
    withoutSlash(method, url) {
      const [, path, query = ''] = /^([^?]*)\/(\?.*)?$/.exec(url) ?? []
      if (path === undefined) return undefined
      const isTaken = patterns.some((pattern) => pattern.methods.includes(method) && pattern.path.test(path))
      return isTaken ? path + query : undefined
    },
  }
}

const literally = (text: string) => text.replace(/[^\w]/g, '\\$&')
