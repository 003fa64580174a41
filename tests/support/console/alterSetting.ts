import type { FastifyInstance } from 'fastify'

/**
 * Lets a server's settings look like another one's; `undefined` takes a key away.
 * @param config laid over `config`
 * @param beside laid over the members of the reply beside `config`
 */
export const alterSetting =
  (config: Record<string, unknown>, beside: Record<string, unknown> = {}) =>
  (app: FastifyInstance): void => {
    app.addHook('preSerialization', async ({ method, url }, _reply, payload) => {
      const { data } = payload as { data?: { config?: object } }
      if (method === 'GET' && url === '/api/v1/setting' && data) {
        Object.assign(data, beside)
        Object.assign(data.config ?? {}, config)
      }
      return payload
    })
  }
