import { errorCause, errorMessage } from '../../../src/domain/errors.ts'
import { fieldsIn } from '../../../src/schemas/define/values.ts'
import { cookies, csrfHeader, errorPrefix } from '../../../src/schemas/define/wireNames.ts'
import { StartError } from '../../startError.ts'

/** Calls of `/api/v1` of a server elsewhere. */
export interface ApiClient {
  /** @returns the reply's `data` @throws Error with the server's words, NotFoundError where it has no such call */
  send(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<unknown>
}

/** The server has no such call. */
export class NotFoundError extends Error {}

interface Access {
  /** An API token, or the token of a session. */
  token?: string
  /** Signs in with a password in place of a token. */
  username?: string
  password?: string
}

/** How long one call may take. A real server sends lists of thousands of servers in seconds. */
const timeoutMs = 60_000

/**
 * @param server its address, as `https://monitor.example.org`
 * @throws StartError with a sentence for the operator
 */
export async function createApiClient(server: string, { token, username, password }: Access): Promise<ApiClient> {
  const root = apiRoot(server)
  let bearer = token
  let csrf = ''

  async function send(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<unknown> {
    const response = await reply(`${root}${path}`, {
      method,
      headers: {
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(csrf && { [csrfHeader]: csrf, cookie: `${cookies.csrf}=${csrf}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      // A token must not go anywhere else.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    csrf = csrfIn(response) ?? csrf
    return dataOf(response)
  }

  async function reply(url: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, init)
    } catch (error) {
      throw new StartError(`${server} does not answer: ${errorMessage(errorCause(error) ?? error)}`, {
        cause: error,
      })
    }
  }

  if (username !== undefined) {
    if (!password) throw new StartError('Set WHEELHOUSE_PASSWORD to the password of this user.')
    const { token: granted } = fieldsIn(await send('POST', 'login', { username, password }))
    if (typeof granted === 'string') bearer = granted
  }
  if (!bearer) throw new StartError('Give --token, set WHEELHOUSE_TOKEN, or give --user and set WHEELHOUSE_PASSWORD.')
  // The first GET brings what later calls need against forged requests.
  await send('GET', 'setting')
  return { send }
}

function apiRoot(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new StartError(
      `${server} is no address of a server: give its scheme and host, as https://monitor.example.org.`,
    )
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/api/v1/`
}

function csrfIn(response: Response): string | undefined {
  const pattern = new RegExp(`^${cookies.csrf}=([^;]*)`)
  return response.headers.getSetCookie().flatMap((cookie) => pattern.exec(cookie)?.[1] ?? [])[0]
}

async function dataOf(response: Response): Promise<unknown> {
  if (response.status === 404) throw new NotFoundError('The server has no such call.')
  const text = await response.text()
  const { success, data, error } = envelopeIn(text)
  if (response.ok && success === true) return data
  throw new StartError(explained(error ?? `The server answered ${response.status} ${response.statusText}`.trim()))
}

function envelopeIn(text: string): { success?: unknown; data?: unknown; error?: string } {
  try {
    const { success, data, error } = fieldsIn(JSON.parse(text))
    return { success, data, ...(typeof error === 'string' && { error }) }
  } catch {
    // A page of a proxy, or of a server that blocks this address: the status says more.
    return {}
  }
}

function explained(error: string): string {
  if (error.startsWith(errorPrefix.reauthentication)) {
    return 'The server asks again who you are before this change: sign in anew with --user, or apply the file in the console.'
  }
  if (error.startsWith(errorPrefix.secondFactor) || error.startsWith(errorPrefix.setUpSecondFactor)) {
    return 'This user has or needs a second factor, which a command cannot give: use --token, or apply the file in the console.'
  }
  if (error === errorPrefix.unauthorized) return 'The server does not accept this token or password.'
  return error
}
