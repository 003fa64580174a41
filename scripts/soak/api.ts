import { cookies, csrfHeader } from '../../src/schemas/define/wireNames.ts'

/** Calls of somebody who is signed in. */
export interface Api {
  /** @returns `data` @throws Error with the refusal's words */
  call<T = unknown>(method: string, path: string, body?: unknown): Promise<T>
  /** For sockets. */
  headers(): Record<string, string>
  /** `ws://127.0.0.1:<port>` */
  sockets: string
}

/** Signs in over the network, as a browser does. @param address `http://127.0.0.1:<port>` */
export async function signIn(address: string, credentials: { username: string; password: string }): Promise<Api> {
  const reply = await fetch(`${address}/api/v1/login`, { method: 'POST', body: JSON.stringify(credentials) })
  const jar = new Map(
    reply.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]?.split('=') as [string, string]),
  )
  if (!jar.has(cookies.session)) throw new Error(`The sign-in failed: ${await reply.text()}`)
  const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
  const headers = { cookie, [csrfHeader]: jar.get(cookies.csrf) ?? '' }
  return {
    sockets: address.replace('http', 'ws'),
    headers: () => headers,
    async call<T>(method: string, path: string, body?: unknown) {
      const sent = body === undefined ? undefined : JSON.stringify(body)
      const answer = await fetch(`${address}/api/v1/${path}`, { method, headers, body: sent })
      const { success, data, error } = (await answer.json()) as { success?: boolean; data?: T; error?: string }
      if (!success) throw new Error(`${method} ${path}: ${error}`)
      return data as T
    },
  }
}
