import type { NewApiToken } from '../../../../server/auth/apiTokens.ts'
import type { Reply } from '../../console/browser.ts'
import type { TestServer } from '../testServer.ts'

/** A program that calls with an API token: it has no cookies. */
export interface Program {
  id: number
  secret: string
  call(method: string, path: string, body?: unknown): Promise<Reply>
  get(path: string): Promise<Reply>
}

/** Makes a token of a user, the administrator by default, without a call. */
export function programWith(server: TestServer, given: Partial<NewApiToken>, address?: string): Program {
  const { token, secret } = server.app.auth.apiTokens.create({
    user_id: 1,
    name: 'program',
    scopes: ['nezha:*'],
    server_ids: [],
    expires_at: '',
    ...given,
  })
  return { id: token.id, ...programOf(server, secret, address) }
}

/** A program with a secret that somebody was shown. */
export function programOf(server: TestServer, secret: string, address?: string): Omit<Program, 'id'> {
  const headers = { authorization: `Bearer ${secret}` }
  const call = (method: string, path: string, body?: unknown) =>
    server.browser(address).call(method, path, { body, headers })
  return { secret, call, get: (path) => call('GET', path) }
}
