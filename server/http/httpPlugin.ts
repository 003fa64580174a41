import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import websocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { WebSocket } from 'ws'
import { registerOpenapi } from './routes/openapi.ts'

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

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bytes of one message that a client may send over the socket of this route. Default: 1 KiB. */
    messageLimit?: number
  }
}

/** Bytes. Most sockets only send; a message is gathered in memory before anybody sees it. */
const defaultMessageLimit = 1024
/** Bytes that may wait for a client to read before its pings are no longer answered. */
const pongLimit = 64 * 1024

/** Lets routes have a `wsHandler`. A message beyond the limit of its route ends the socket with the code 1009. */
export async function registerWebSockets(app: FastifyInstance): Promise<void> {
  await app.register(websocket, {
    options: { maxPayload: defaultMessageLimit, perMessageDeflate: false, autoPong: false },
    // Sockets end without a close frame, as the contract has it; waiting for theirs would hold up the end.
    preClose: (done) => {
      for (const socket of app.websocketServer.clients) socket.terminate()
      app.websocketServer.close(() => done())
    },
  })
  limitMessages(app)
  app.websocketServer.on('connection', answerPings)
}

/** The library has one limit for all sockets. It reads it after the event `headers`, in the same turn. */
function limitMessages(app: FastifyInstance): void {
  const limits = new WeakMap<IncomingMessage, number | undefined>()
  app.addHook('onRequest', async ({ ws, raw, routeOptions }) => {
    if (ws) limits.set(raw, routeOptions.config.messageLimit)
  })
  const { websocketServer } = app
  websocketServer.on('headers', (_headers, request) => {
    websocketServer.options.maxPayload = limits.get(request) ?? defaultMessageLimit
  })
}

/** A client that sends pings and reads nothing would fill the memory with the answers. */
function answerPings(socket: WebSocket): void {
  socket.on('ping', (data) => {
    if (socket.readyState === socket.OPEN && socket.bufferedAmount < pongLimit) socket.pong(data)
  })
}
