import type { FastifyInstance } from 'fastify'

/**
 * Makes a server answer as another one would: `alter` changes the `data` of its replies to a GET below a path.
 * @param path below `/api/v1/`, without its query
 */
export function alterReplies(path: string, alter: (data: unknown) => unknown) {
  return (app: FastifyInstance) => {
    app.addHook('onSend', async ({ method, url }, reply, payload) => {
      if (method !== 'GET' || url.split('?')[0] !== `/api/v1/${path}`) return payload
      const body = JSON.parse(String(payload))
      // Also where it has no such record.
      if (reply.statusCode === 404) reply.code(200)
      return JSON.stringify({ success: true, data: alter(body.data) })
    })
  }
}
