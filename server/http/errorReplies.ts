import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../log.ts'
import { ApiError } from '../wire/apiError.ts'
import { isConsolePath, sendConsolePage } from './staticFiles.ts'
import { createTrailingSlashRedirects } from './trailingSlash.ts'

/** Turns what handlers throw into the contract's `{error}`; what nobody expected is logged and told to nobody. */
export function registerErrorHandler(app: FastifyInstance, log: Pick<Log, 'error'>): void {
  app.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
    if (error instanceof ApiError) return reply.code(error.status).send({ error: error.message })
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      return reply.code(413).send({ error: `request body too large: at most ${size(request.routeOptions.bodyLimit)}` })
    }
    const status = error.statusCode ?? 500
    if (status < 500) return reply.code(status).send({ error: error.message })
    log.error(`${request.method} ${request.routeOptions.url ?? 'an unknown path'} failed:`, error)
    return reply.code(500).send({ error: 'internal server error: the log says more' })
  })
}

const size = (bytes: number) => (bytes < 1024 ** 2 ? `${bytes / 1024} KiB` : `${bytes / 1024 ** 2} MiB`)

/** Answers what no route takes: wrong verbs and unknown paths alike, and the console's own addresses. */
export function registerNotFoundHandler(app: FastifyInstance, hasConsole: boolean): void {
  const slashes = createTrailingSlashRedirects(app)
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const shorter = slashes.withoutSlash(request.method, request.url)
    if (shorter) return redirect(request, reply, shorter)
    if (isConsolePath(request.method, request.url)) {
      if (hasConsole) return sendConsolePage(reply)
      return reply.code(404).type('text/plain').send('The console is not built yet: start with "npm start".\n')
    }
    return reply.code(404).send({ error: '404 Not Found' })
  })
}

function redirect(request: FastifyRequest, reply: FastifyReply, location: string): FastifyReply {
  // Only a read may be repeated as it is asked; 307 keeps verb and body of the others.
  const code = request.method === 'GET' ? 301 : 307
  const target = location.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return reply
    .code(code)
    .header('location', location)
    .type('text/html; charset=utf-8')
    .send(`<a href="${target}">${code === 301 ? 'Moved Permanently' : 'Temporary Redirect'}</a>.\n\n`)
}
