import type { FastifyInstance } from 'fastify'
import type { AskRoute } from './tools/entityTools.ts'
import { denied, ToolFailure } from './tools/toolFailure.ts'

/** Headers that are about the body of the caller's request, and what its client can read. */
const ofTheBody = ['content-length', 'content-type', 'transfer-encoding', 'accept-encoding', 'connection', 'expect']

/** Asks routes without a connection, with the headers and the address of the caller's request. */
export const createAskRoute =
  (app: FastifyInstance): AskRoute =>
  async ({ request }, path, query) => {
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !ofTheBody.includes(name)))
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
    const reply = await app.inject({
      method: 'GET',
      url: path,
      headers,
      query: given,
      remoteAddress: request.socket.remoteAddress,
    })
    const { data, error } = parsed(reply.payload)
    if (error === 'permission denied') throw denied()
    if (error !== undefined) throw new ToolFailure('permission_denied', error)
    if (reply.statusCode !== 200) throw new Error(`${path} answered with ${reply.statusCode}`)
    return data
  }

function parsed(text: string): { data?: unknown; error?: string } {
  try {
    return JSON.parse(text) as { data?: unknown; error?: string }
  } catch {
    return {}
  }
}
