import type { Random } from '../seed/random.ts'
import type { FuzzReply } from './checkReply.ts'
import type { FuzzRequest } from './requests.ts'

/** Brings a request to the server. @param address where it comes from: one of the loopback addresses */
export type Send = (request: FuzzRequest, address: string) => Promise<FuzzReply>

/** Somebody who sends requests, with the cookies that a browser would have. */
export interface Client {
  send(request: FuzzRequest): Promise<FuzzReply>
}

export interface Account {
  username: string
  password: string
}

/** Any loopback address but the first ones, which belong to people. */
export const anyAddress = (random: Random) =>
  `127.${1 + random.whole(250)}.${random.whole(256)}.${1 + random.whole(250)}`

/** Somebody who is never signed in, and goes somewhere else when the address is blocked. */
export function anonymousClient(send: Send, random: Random): Client {
  let address = anyAddress(random)
  return {
    async send(request) {
      const reply = await send(request, address)
      if (request.path.includes('/login') || isBlocked(reply)) address = anyAddress(random)
      return reply
    },
  }
}

const isBlocked = ({ status, type }: FuzzReply) => status === 403 && type.startsWith('text/html')

/**
 * Somebody who signs in, and again whenever the session is over: some of what is sent ends it. An address that got
 * itself blocked is left behind.
 * @param recreate makes the account anew when it was deleted, and enables it when it was disabled
 */
export function signedInClient(
  send: Send,
  random: Random,
  account: Account,
  recreate?: () => Promise<unknown>,
): Client {
  let cookies = new Map<string, string>()
  let address = anyAddress(random)
  let signingIn: Promise<void> | undefined

  async function signIn(): Promise<void> {
    let refusal = ''
    for (let attempt = 0; attempt < 3; attempt++) {
      address = anyAddress(random)
      cookies = new Map()
      const body = JSON.stringify(account)
      const reply = await send({ method: 'POST', path: '/api/v1/login', headers: {}, body }, address)
      take(reply)
      refusal = `${reply.status} ${reply.text.slice(0, 200)}`
      if (cookies.has('nz-jwt')) return
      await recreate?.()
    }
    throw new Error(`${account.username} cannot sign in any more: ${refusal}`)
  }

  function take(reply: FuzzReply): void {
    for (const line of reply.cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line) || value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  return {
    async send(request) {
      while (!cookies.has('nz-jwt')) {
        signingIn ??= signIn().finally(() => {
          signingIn = undefined
        })
        await signingIn
      }
      const session = cookies
      const own = {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(request.method !== 'GET' && { 'x-csrf-token': cookies.get('nz-csrf') ?? '' }),
      }
      const reply = await send({ ...request, headers: { ...own, ...request.headers } }, address)
      // Meanwhile somebody may have signed in again; what this reply says is about the session before.
      if (session !== cookies) return reply
      const isOwn = !request.headers.cookie && !request.headers.authorization
      const isOver = isOwn && reply.text === '{"error":"ApiErrorUnauthorized"}'
      const mayEnd = request.method !== 'GET' && request.path.includes('/wheelhouse/')
      if (isBlocked(reply) || isOver || mayEnd) cookies = new Map()
      else take(reply)
      return reply
    },
  }
}
