import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { registerOpenapi } from './routes/openapi.ts'
import { registerWebSockets } from './webSockets.ts'

interface HttpOptions {
  /** Version of this server, for `openapi.json`. */
  version: string
}

/** What every route needs: bodies as text, the description of the API, cookies, sockets. */
export const httpPlugin = fp(
  async (app: FastifyInstance, { version }: HttpOptions) => {
    takeBodiesAsText(app)
    registerOpenapi(app, version)
    await app.register(cookie)
    await registerWebSockets(app)
  },
  { name: 'http' },
)

/**
 * Every body is JSON, whatever its content type, and comes as text: the readers of the contract quote it in their
 * errors.
 */
function takeBodiesAsText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async ({ raw }) => {
    raw.headers['content-type'] = 'application/json'
  })
}
