import cookie from '@fastify/cookie'
import websocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { registerOpenapi } from './routes/openapi.ts'

/** Bytes of one message of a socket. */
const messageLimit = 8 * 1024 * 1024

interface HttpOptions {
  /** Version of this server, for `openapi.json`. */
  version: string
}

/** What every route needs: bodies as text, the description of the API, cookies, sockets. */
export const httpPlugin = fp(
  async (app: FastifyInstance, { version }: HttpOptions) => {
    takeBodiesAsText(app)
    await registerOpenapi(app, version)
    await app.register(cookie)
    await app.register(websocket, {
      options: { maxPayload: messageLimit, perMessageDeflate: false },
      // Sockets end without a close frame, as the contract has it; waiting for theirs would hold up the end.
      preClose: (done) => {
        for (const socket of app.websocketServer.clients) socket.terminate()
        app.websocketServer.close(() => done())
      },
    })
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
