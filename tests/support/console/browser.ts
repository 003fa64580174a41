import type { FastifyInstance, InjectOptions } from 'fastify'

export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** The body, if it is JSON. */
  body: unknown
}

export interface CallOptions {
  /** A string and bytes go as they are, anything else as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

/** Sends requests as a browser with our console does: keeps cookies and repeats the CSRF value in the header. */
export interface Browser {
  cookies: Map<string, string>
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  signIn(username: string, password: string): Promise<Reply>
}

function payloadOf(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body
  return JSON.stringify(body)
}

export function createBrowser(app: FastifyInstance, address = '127.0.0.1'): Browser {
  const cookies = new Map<string, string>()

  async function call(method: string, path: string, { body, headers = {} }: CallOptions = {}): Promise<Reply> {
    const csrf = method === 'GET' ? undefined : cookies.get('nz-csrf')
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await app.inject({
      method: method as InjectOptions['method'],
      url: path.startsWith('/') ? path : `/api/v1/${path}`,
      remoteAddress: address,
      headers: {
        host: '127.0.0.1:8008',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(cookie && { cookie }),
        ...(csrf && { 'x-csrf-token': csrf }),
        ...headers,
      },
      payload: payloadOf(body),
    })
    for (const { name, value } of response.cookies) cookies.set(name, value)
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    return {
      status: response.statusCode,
      headers: response.headers as Reply['headers'],
      text: response.body,
      body: isJson ? response.json() : undefined,
    }
  }

  return {
    cookies,
    call,
    get: (path, headers) => call('GET', path, { headers }),
    signIn: (username, password) => call('POST', 'login', { body: { username, password } }),
  }
}
