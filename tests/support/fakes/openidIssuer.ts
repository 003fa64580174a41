import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** A key with which an issuer signs. */
export type SigningKey = Awaited<ReturnType<typeof signingKey>>

/** What an ID token says by default, and the key of the issuer. */
export interface TokenParts {
  claims: JWTPayload
  key: SigningKey
}

/** An OpenID provider that signs for real, and of which a test may change everything that it says. */
export interface OpenidIssuer {
  issuer: string
  /** What it calls itself, where that is not its address alone: its document is below that path. */
  name: string
  /** Its entry in `oauth2.json`. */
  entry: Record<string, unknown>
  key: SigningKey
  /** Added to its document about itself. */
  document: Record<string, unknown>
  /** Makes the ID token; `undefined` leaves it out. */
  token: (parts: TokenParts) => Promise<string | undefined>
  /** Added to the claims of the ID token. */
  claims: JWTPayload
  /** What it says of an account, where its document names `userinfo_endpoint`. */
  userInfo: object
  /** Answers when asked for the keys. */
  keys: (response: ServerResponse) => void
  /** Every request, as `GET /jwks`. */
  calls: string[]
  close(): Promise<void>
}

export async function signingKey(kid: string, alg = 'RS256') {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

let firstKey: Promise<SigningKey> | undefined

/** The key with which every issuer begins: making one takes 40 ms of a core. */
const keyOfIssuers = () => {
  firstKey ??= signingKey('one')
  return firstKey
}

/** Signs as the issuer does. */
export const sign = ({ claims, key }: TokenParts, header: Record<string, unknown> = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey)

export const sendJson = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

const clientId = 'console'

export async function startOpenidIssuer(): Promise<OpenidIssuer> {
  const http = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const codes = new Map<string, { challenge: string; nonce: string }>()
  const state: OpenidIssuer = {
    issuer,
    name: issuer,
    entry: { issuer, client_id: clientId, client_secret: 's3cret' },
    key: await keyOfIssuers(),
    document: {},
    token: (parts) => sign(parts),
    claims: {},
    userInfo: {},
    keys: (response) => sendJson(response, { keys: [state.key.jwk] }),
    calls: [],
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    state.calls.push(`${request.method} ${pathname}`)
    const documentPath = `${new URL(state.name).pathname.replace(/\/$/, '')}/.well-known/openid-configuration`
    if (pathname === documentPath) {
      sendJson(response, { ...documentOf(issuer), issuer: state.name, ...state.document })
    } else if (pathname === '/jwks') state.keys(response)
    else if (pathname === '/userinfo') sendJson(response, state.userInfo)
    else if (pathname === '/auth') askPerson(searchParams, response)
    else if (pathname === '/token') await tellToken(new URLSearchParams(await text(request)), response)
    else response.writeHead(404).end()
  }

  /** Everybody says yes. */
  function askPerson(asked: URLSearchParams, response: ServerResponse): void {
    const code = randomUUID()
    codes.set(code, { challenge: asked.get('code_challenge') ?? '', nonce: asked.get('nonce') ?? '' })
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.search = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: state.name }).toString()
    response.writeHead(302, { location: back.href }).end()
  }

  /** A code counts once, and for whoever began. */
  async function tellToken(asked: URLSearchParams, response: ServerResponse): Promise<void> {
    const code = asked.get('code') ?? ''
    const begun = codes.get(code)
    codes.delete(code)
    const challenge = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url')
    if (begun?.challenge !== challenge) return void sendJson(response, { error: 'invalid_grant' }, 400)
    const now = Math.floor(Date.now() / 1000)
    const usual = { iss: state.name, sub: '4711', aud: clientId, iat: now, exp: now + 60, nonce: begun.nonce }
    const id_token = await state.token({ claims: { ...usual, ...state.claims }, key: state.key })
    sendJson(response, { access_token: 'x', token_type: 'Bearer', ...(id_token && { id_token }) })
  }
  return state
}

const documentOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA', 'HS256', 'none'],
  authorization_response_iss_parameter_supported: true,
})
