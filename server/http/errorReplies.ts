import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BlockedError, sendBlocked } from '../auth/blocking/blockedPage.ts'
import type { Store } from '../db/store.ts'
import { isCrowded, isUnreadable, writeObstacle } from '../db/storeError.ts'
import type { Log } from '../log.ts'
import { ApiError } from '../wire/apiCall.ts'
import { hasLeft, ownHeaders, readOutBody } from './requestLimits.ts'
import { TextRefusal } from './securityHooks.ts'
import { isConsolePath, sendConsolePage } from './staticFiles.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers without the database being written, whatever its method. Default: only GET and HEAD do. */
    savesNothing?: true
  }
}

/** Turns what handlers throw into the contract's `{error}`. Unexpected errors are logged, and not sent to the client. */
export function registerErrorHandler(app: FastifyInstance, log: Pick<Log, 'error'>): void {
  app.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
    // What a reply is made of may fail after its headers were set.
    if (!reply.raw.headersSent) for (const name of ['content-type', ...ownHeaders]) reply.removeHeader(name)
    if (error instanceof BlockedError) return sendBlocked(reply, error)
    if (error instanceof TextRefusal) {
      return reply.code(error.status).type('text/plain; charset=utf-8').send(`${error.message}\n`)
    }
    if (error instanceof ApiError) return reply.code(error.status).send({ error: error.message })
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      readOutBody(request, reply)
      return reply.code(413).send({ error: `request body too large: at most ${size(request.routeOptions.bodyLimit)}` })
    }
    // What a reply is made of is ended with it: that its reader has left is no fault, and nobody is there to be told.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' && hasLeft(reply)) return
    // Once for all of them is in the log already.
    if (isUnreadable(error)) return reply.code(503).header('retry-after', '5').send({ error: databaseUnreadable })
    const status = error.statusCode ?? 500
    if (status < 500) return reply.code(status).send({ error: error.message })
    log.error(`${request.method} ${request.routeOptions.url ?? 'an unknown path'} failed:`, error)
    if (isCrowded(error)) return reply.code(503).header('retry-after', '5').send({ error: databaseCrowded })
    const obstacle = writeObstacle(error)
    if (obstacle === 'busy') return reply.code(423).send({ error: databaseBusy })
    if (obstacle === 'away') return reply.code(503).header('retry-after', '5').send({ error: databaseAway })
    if (obstacle === 'full') return reply.code(507).send({ error: diskFull })
    return reply.code(500).send({ error: 'internal server error: the log says more' })
  })
}

const databaseBusy =
  'another program is using the database of the server: nothing was saved; end that program, or wait and try again'
const databaseAway = 'the database of the server cannot be reached: nothing was saved; try again when it is there'
const databaseCrowded =
  'the database of the server is slower than what is to be saved: nothing was saved; try again in a moment'
const databaseUnreadable =
  'the database of the server cannot be reached or has too much to do, and this is read from it: try again in a moment'
const diskFull = 'the disk of the server is full: nothing was saved; free some space and try again'

/** Milliseconds that a request waits for another program that holds the database, before it is refused. */
const busyWaitMs = 5000

/**
 * Lets requests that may save something wait, while others are served, as long as another program holds the database.
 * Before `preHandler`, where it is judged again whether the person still may.
 */
export function waitForDatabase(app: FastifyInstance, store: Pick<Store, 'untilWritable'>): void {
  app.addHook('preValidation', async ({ method, routeOptions }) => {
    if (method === 'GET' || method === 'HEAD' || routeOptions.config.savesNothing) return
    // One that does not save after all, or keeps in memory what it cannot save, is not refused.
    await store.untilWritable(busyWaitMs)
  })
}

const size = (bytes: number) => (bytes < 1024 ** 2 ? `${bytes / 1024} KiB` : `${bytes / 1024 ** 2} MiB`)

/**
 * Replies where no route matches: wrong methods and unknown paths, and the paths inside the console. A body is not read:
 * whoever sends it may be a stranger.
 */
export function registerNotFoundHandler(app: FastifyInstance, hasConsole: boolean): void {
  const slashRedirects = createTrailingSlashRedirects(app)
  function replyNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const location = slashRedirects.withoutSlash(request.method, request.url)
    if (location) return redirect(request, reply, location)
    if (isConsolePath(request.method, request.url)) {
      if (hasConsole) return sendConsolePage(reply)
      return reply.code(404).type('text/plain').send('The console is not built yet: start with "npm start".\n')
    }
    return reply.code(404).send({ error: '404 Not Found' })
  }
  // The handler alone would be called when the body has been read. A hook that replies must not return it: Fastify calls
  // the handler then, if the client has left before the reply was written.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) replyNotFound(request, reply)
    else done()
  })
  app.setNotFoundHandler(replyNotFound)
}

function redirect(request: FastifyRequest, reply: FastifyReply, location: string): FastifyReply {
  // After 301 a client may change the method to GET; 307 keeps method and body.
  const code = request.method === 'GET' ? 301 : 307
  const target = location.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return reply
    .code(code)
    .header('location', location)
    .type('text/html; charset=utf-8')
    .send(`<a href="${target}">${code === 301 ? 'Moved Permanently' : 'Temporary Redirect'}</a>.\n\n`)
}

/** Finds the path to redirect to: `/api/v1/profile` for `/api/v1/profile/`. */
export interface TrailingSlashRedirects {
  /** The URL without the trailing slash, if there is a route for it; the query stays. */
  withoutSlash(method: string, url: string): string | undefined
}

/** To be called before the routes are registered: it collects them. */
function createTrailingSlashRedirects(app: FastifyInstance): TrailingSlashRedirects {
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
