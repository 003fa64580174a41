import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'

/** A provider that follows the standards, on this machine. It asks nobody: `account` is who signs in there. */
export interface OidcProvider {
  /** Who is signed in at the provider: an id of digits, as GitHub's are. */
  account: string
  /** The groups of whoever signs in, told to clients that ask for the scope `groups`. */
  groups: readonly string[]
  /** What the person answers when asked whether this console may know who they are. */
  consents: boolean
  /** Every request that came from a server, as `POST /token`. */
  calls: string[]
  /** Its entry in `oauth2.json`. */
  entry: ReturnType<typeof entryOf>
  /** The one of a client whose secret has to come in a header. */
  strictEntry: ReturnType<typeof entryOf>
  /** The name it gives itself. */
  issuer: string
  close(): Promise<void>
}

const clientSecret = 'of 32 letters, or thereabouts, +/='

function entryOf(issuer: string, clientId: string) {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    endpoint: { auth_url: `${issuer}/auth`, token_url: `${issuer}/token` },
    scopes: ['openid'],
    user_info_url: `${issuer}/user`,
    user_id_path: 'account.id',
  }
}

export async function startOidcProvider(): Promise<OidcProvider> {
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const http = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    ...configuration,
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, preferred_username: `person ${accountId}`, groups: state.groups }),
    }),
  })
  const takes = provider.callback()

  const state: OidcProvider = {
    account: '4711',
    groups: [],
    consents: true,
    calls: [],
    issuer,
    entry: entryOf(issuer, 'console'),
    strictEntry: entryOf(issuer, 'strict'),
    close: () => new Promise((resolve) => http.close(() => resolve())),
  }

  answer = (request, response) => {
    const path = request.url ?? ''
    state.calls.push(`${request.method} ${path.split('?')[0]}`)
    if (path.startsWith('/interaction/')) void decide(provider, state, request, response)
    else if (path === '/user') void tellWho(provider, request, response)
    else void takes(request, response)
  }
  return state
}

/** Stands in for the page on which somebody signs in and consents. */
async function decide(
  provider: Provider,
  { account, consents }: OidcProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response)
  const grant = new provider.Grant({ accountId: account, clientId: String(params.client_id) })
  grant.addOIDCScope(String(params.scope))
  const answer = consents
    ? { login: { accountId: account, remember: false }, consent: { grantId: await grant.save() } }
    : { error: 'access_denied', error_description: 'The person said no.' }
  await provider.interactionFinished(request, response, answer)
}

/** Says whose token it is, as providers do that know OAuth2 and nothing of OpenID. */
async function tellWho(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const token = await provider.AccessToken.find(request.headers.authorization?.replace(/^Bearer /, '') ?? '')
  response.writeHead(token ? 200 : 401, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ account: { id: Number(token?.accountId) } }))
}

const client = {
  client_secret: clientSecret,
  // Of native programs the port on this machine does not count: a server under test takes any.
  application_type: 'native' as const,
  redirect_uris: ['http://127.0.0.1/api/v1/oauth2/callback', 'http://localhost/api/v1/oauth2/callback'],
  response_types: ['code' as const],
  grant_types: ['authorization_code'],
}

const configuration: Configuration = {
  clients: [
    { ...client, client_id: 'console', token_endpoint_auth_method: 'client_secret_post' },
    { ...client, client_id: 'strict', token_endpoint_auth_method: 'client_secret_basic' },
  ],
  pkce: { required: () => true },
  cookies: { keys: ['a key of the tests'] },
  jwks: {
    keys: [{ ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), kty: 'RSA' }],
  },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  claims: { openid: ['sub'], profile: ['preferred_username'], groups: ['groups'] },
  ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Interaction: 60, Session: 60, Grant: 60 },
}
