import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../db/store.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Programs that watch this server ask for the route, by whatever name and address they reach it: neither is checked,
     * and the reply tells nothing that a stranger may not know.
     */
    isProbe?: true
  }
}

interface HealthOptions {
  store: Pick<Store, 'isReadable'>
}

/**
 * What load balancers, containers and systemd ask every few seconds. `GET /livez`: this process answers, so there is no
 * reason to end it. `GET /readyz`: people can be sent here; a disk that is full does not count, because reading works and
 * every screen says it.
 */
export const healthPlugin = fp(
  async (app: FastifyInstance, { store }: HealthOptions) => {
    const config = { isProbe: true } as const
    app.get('/livez', { config }, (_request, reply) => sendText(reply, 200, 'ok'))
    app.get('/readyz', { config }, (_request, reply) =>
      store.isReadable() ? sendText(reply, 200, 'ok') : sendText(reply, 503, 'The database cannot be read.'),
    )
  },
  { name: 'health', dependencies: ['security'] },
)

const sendText = (reply: FastifyReply, status: number, text: string) =>
  reply.code(status).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(`${text}\n`)
