import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportSPKI, importJWK, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { OpenidProvider } from '../../../../server/auth/providers/providers.ts'
import { holdDeadlines } from '../../../support/fakes/heldDeadlines.ts'
import { startOidcProvider } from '../../../support/fakes/oidcProvider.ts'
import {
  type OpenidIssuer,
  sendJson,
  sign,
  signingKey,
  startOpenidIssuer,
  type TokenParts,
} from '../../../support/fakes/openidIssuer.ts'
import {
  authorizeAtProvider,
  openCallback,
  signInAtProvider,
  startAtProvider,
} from '../../../support/journeys/oauth2Journey.ts'
import { failedWith, failures, profileOf, redirectOf } from '../../../support/server/auth/oauth2Servers.ts'
import { providersOf } from '../../../support/server/auth/providersFile.ts'
import { password, signedIn, testServer } from '../../../support/server/testServer.ts'

const succeeded = [302, '/dashboard/login?oauth2=true']

/** A server with the provider "Company", whose account 4711 the member has bound. */
async function startFixture() {
  const issuer = await startOpenidIssuer()
  onTestFinished(() => issuer.close())
  const server = await testServer({ providers: providersOf({ Company: issuer.entry }) })
  const member = await signedIn(server, 'member')
  expect(redirectOf(await signInAtProvider(member, 'Company', 2))).toEqual([302, '/dashboard/profile?oauth2=true'])
  issuer.calls.length = 0
  const signIn = async () => redirectOf(await signInAtProvider(server.browser(), 'Company'))
  /** What the log says of a sign-in that the provider spoils. */
  const reasonOf = async () => {
    expect(await signIn()).toEqual(failedWith('failed'))
    return server.logged.at(-1)
  }
  return { issuer, server, member, signIn, reasonOf }
}

const nowIn = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

describe('a provider of which the file knows the issuer alone', () => {
  it('signs somebody in by oidc-provider, with what that says of itself', async () => {
    const oidc = await startOidcProvider()
    onTestFinished(() => oidc.close())
    const { client_id, client_secret } = oidc.entry
    const issuer = `${oidc.issuer}/.well-known/openid-configuration`
    const server = await testServer({ providers: providersOf({ Company: { issuer, client_id, client_secret } }) })
    const member = await signedIn(server, 'member')
    const address = await startAtProvider(member, 'Company', 2)
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'openid',
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
    })
    await openCallback(member, await authorizeAtProvider(address))
    expect(redirectOf(await signInAtProvider(server.browser(), 'Company'))).toEqual(succeeded)
    // The token says who it is.
    expect(oidc.calls).not.toContain('GET /user')
    oidc.account = '4712'
    expect(redirectOf(await signInAtProvider(server.browser(), 'Company'))).toEqual(failedWith('unbound'))
  })

  it('may know the client without a secret', async () => {
    const issuer = await startOpenidIssuer()
    onTestFinished(() => issuer.close())
    const { client_secret: _, ...entry } = issuer.entry
    const server = await testServer({ providers: providersOf({ Company: entry }) })
    await signInAtProvider(await signedIn(server, 'member'), 'Company', 2)
    expect(redirectOf(await signInAtProvider(server.browser(), 'Company'))).toEqual(succeeded)
  })

  it('may want the secret in a header', async () => {
    const oidc = await startOidcProvider()
    onTestFinished(() => oidc.close())
    const { client_id, client_secret } = oidc.strictEntry
    const entry = { issuer: oidc.issuer, client_id, client_secret }
    const server = await testServer({ providers: providersOf({ Company: entry }) })
    await signInAtProvider(await signedIn(server, 'member'), 'Company', 2)
    expect(redirectOf(await signInAtProvider(server.browser(), 'Company'))).toEqual(succeeded)
  })

  it.each(['https://id.example', undefined])('leads back by its own name, and not by %s', async (iss) => {
    const { server, issuer } = await startFixture()
    const browser = server.browser()
    const callback = await authorizeAtProvider(await startAtProvider(browser, 'Company'))
    expect(callback.searchParams.get('iss')).toBe(issuer.issuer)
    callback.searchParams.delete('iss')
    if (iss) callback.searchParams.set('iss', iss)
    expect(redirectOf(await openCallback(browser, callback))).toEqual(failedWith('failed'))
    expect(issuer.calls).toEqual(['GET /auth'])
  })

  it('is asked for its addresses once, and for its keys with each token', async () => {
    const { issuer, signIn } = await startFixture()
    expect(await signIn()).toEqual(succeeded)
    expect(issuer.calls).toEqual(['GET /auth', 'POST /token', 'GET /jwks'])
  })

  it('may change its key from one sign-in to the next', async () => {
    const { issuer, signIn } = await startFixture()
    for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA']) {
      issuer.key = await signingKey(`new ${alg}`, alg)
      expect(await signIn(), alg).toEqual(succeeded)
    }
  })

  it('binds its id of somebody, whatever mail address and name they have there', async () => {
    const { issuer, member, signIn } = await startFixture()
    expect(await profileOf(member)).toMatchObject({ oauth2_bind: { company: `${issuer.issuer}#4711` } })
    issuer.claims = { sub: '1', email: 'member@example.org', email_verified: true, preferred_username: 'member' }
    expect(await signIn()).toEqual(failedWith('unbound'))
  })

  it('does not sign in the people of another issuer that is entered under its name', async () => {
    const { server } = await startFixture()
    const other = await startOpenidIssuer()
    onTestFinished(() => other.close())
    const { store } = server
    await server.app.close()
    const later = await testServer({ store, providers: providersOf({ Company: other.entry }) })
    expect(redirectOf(await signInAtProvider(later.browser(), 'Company'))).toEqual(failedWith('unbound'))
  })

  it('is not taken for a way to sign in by an id that it did not give', async () => {
    const oauth2 = await startOidcProvider()
    onTestFinished(() => oauth2.close())
    const before = await testServer({ providers: providersOf({ Company: oauth2.entry }) })
    await signInAtProvider(await signedIn(before, 'member'), 'Company', 2)
    const { store } = before
    await before.app.close()
    const issuer = await startOpenidIssuer()
    onTestFinished(() => issuer.close())
    const server = await testServer({ store, providers: providersOf({ Company: issuer.entry }) })
    const member = await signedIn(server, 'member')
    // Else they could shut themselves out, and were not offered to bind their account once more.
    expect(await profileOf(member)).not.toHaveProperty('oauth2_bind')
    const form = { original_password: password, new_username: 'member', reject_password: true }
    expect((await member.call('POST', 'profile', { body: form })).body).toEqual({
      error: "you don't have any oauth2 bindings",
    })
    expect(redirectOf(await signInAtProvider(member, 'Company', 2))).toEqual([302, '/dashboard/profile?oauth2=true'])
    expect(redirectOf(await signInAtProvider(server.browser(), 'Company'))).toEqual(succeeded)
  })

  it('takes a code once, and from the browser that began', async () => {
    const { server } = await startFixture()
    const browser = server.browser()
    const callback = await authorizeAtProvider(await startAtProvider(browser, 'Company'))
    expect(redirectOf(await openCallback(server.browser(), callback))).toEqual(failedWith('state'))
    expect(redirectOf(await openCallback(browser, callback))).toEqual(succeeded)
    expect(redirectOf(await openCallback(server.browser(), callback))).toEqual(failedWith('state'))
    // Somebody else's code in a sign-in of one's own.
    const second = server.browser()
    const mine = await authorizeAtProvider(await startAtProvider(second, 'Company'))
    mine.searchParams.set('code', callback.searchParams.get('code') ?? '')
    expect(redirectOf(await openCallback(second, mine))).toEqual(failedWith('rejected'))
    expect(failures(server)).toHaveLength(1)
  })
})

describe('people who come to a provider', () => {
  it('are not led on to another one for their code there', async () => {
    const forge = await startOpenidIssuer()
    onTestFinished(() => forge.close())
    const company = await startOpenidIssuer()
    onTestFinished(() => company.close())
    const byAddresses = {
      client_id: 'console',
      endpoint: { auth_url: `${forge.issuer}/auth`, token_url: `${forge.issuer}/token` },
      user_info_url: `${forge.issuer}/user`,
      user_id_path: 'id',
    }
    const server = await testServer({ providers: providersOf({ Forge: byAddresses, Company: company.entry }) })
    await signInAtProvider(await signedIn(server, 'member'), 'Company', 2)
    // Who has the forge begins at the company, and has somebody who comes to the forge confirm that.
    const attackers = await startAtProvider(server.browser(), 'Company')
    const browser = server.browser()
    const { searchParams } = await startAtProvider(browser, 'Forge')
    attackers.searchParams.set('state', searchParams.get('state') ?? '')
    const reply = await openCallback(browser, await authorizeAtProvider(attackers))
    expect(redirectOf(reply)).toEqual(failedWith('failed'))
    expect(forge.calls).toEqual([])
    expect(server.logged.at(-1)).toContain('the code is of "Company"')
  })

  it('may begin in two tabs: a callback of the first leaves the second alone', async () => {
    const { server } = await startFixture()
    const browser = server.browser()
    const first = await authorizeAtProvider(await startAtProvider(browser, 'Company'))
    const second = await authorizeAtProvider(await startAtProvider(browser, 'Company'))
    expect(redirectOf(await openCallback(browser, first))).toEqual(failedWith('state'))
    expect(redirectOf(await openCallback(browser, second))).toEqual(succeeded)
  })

  it('do not make the server ask it for each of many guessed codes', async () => {
    const { issuer, server } = await startFixture()
    const guesses = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const browser = server.browser('198.51.100.7')
        const callback = new URL('http://localhost/api/v1/oauth2/callback?code=guessed')
        const state = (await startAtProvider(browser, 'Company')).searchParams.get('state') ?? ''
        callback.searchParams.set('state', state)
        callback.searchParams.set('iss', issuer.issuer)
        return { browser, callback }
      }),
    )
    const replies = await Promise.all(guesses.map(({ browser, callback }) => openCallback(browser, callback)))
    const asked = issuer.calls.filter((call) => call === 'POST /token').length
    expect(asked).toBeLessThanOrEqual(5)
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(200 - asked)
    // Nobody else has to wait.
    expect(redirectOf(await signInAtProvider(server.browser('198.51.100.8'), 'Company'))).toEqual(succeeded)
  })

  it('do not fill the log', async () => {
    const { issuer, server } = await startFixture()
    const before = server.logged.length
    for (const number of [1, 2, 3]) {
      const browser = server.browser()
      const state = (await startAtProvider(browser, 'Company')).searchParams.get('state') ?? ''
      const callback = new URL(`http://localhost/api/v1/oauth2/callback?state=${state}&error=e${number}`)
      expect(redirectOf(await openCallback(browser, callback))).toEqual(failedWith('failed'))
    }
    expect(server.logged.slice(before)).toEqual([expect.stringMatching(/"Company" could not be used: it says "e1"$/)])
    // What else is wrong is said as well.
    issuer.claims = { aud: 'somebody-else' }
    expect(redirectOf(await signInAtProvider(server.browser(), 'Company'))).toEqual(failedWith('failed'))
    expect(server.logged.at(-1)).toMatch(/\baud\b/)
  })
})

describe('an ID token', () => {
  it.each<[string, RegExp, () => JWTPayload]>([
    ['of another issuer', /\biss\b/, () => ({ iss: 'https://id.example' })],
    ['for another client', /\baud\b/, () => ({ aud: 'somebody-else' })],
    [
      'for several clients, of which none is named',
      /untrusted audiences/,
      () => ({ aud: ['console', 'somebody-else'] }),
    ],
    ['for several clients, of which another is named', /\bazp\b/, () => ({ aud: ['console', 'other'], azp: 'other' })],
    ['for this client, but another is named', /\bazp\b/, () => ({ azp: 'other' })],
    ['that has expired', /expiration is past/, () => ({ exp: nowIn(-40) })],
    ['from the future', /from the future/, () => ({ iat: nowIn(600), exp: nowIn(900) })],
    ['that is not valid yet', /\bnbf\b/, () => ({ nbf: nowIn(600) })],
    ['of another sign-in', /unexpected ID Token .*nonce/, () => ({ nonce: 'another' })],
    ['of no sign-in', /nonce.* missing/, () => ({ nonce: undefined })],
    ['about nobody', /sub.* missing/, () => ({ sub: undefined })],
    ['about an empty name', /names nobody/, () => ({ sub: '' })],
    ['without an end', /exp.* missing/, () => ({ exp: undefined })],
    ['without a beginning', /iat.* missing/, () => ({ iat: undefined })],
  ])('%s opens nothing', async (_, reason, claims) => {
    const { issuer, reasonOf } = await startFixture()
    issuer.claims = claims()
    expect(await reasonOf()).toMatch(reason)
  })

  it.each<[string, () => JWTPayload]>([
    ['by a clock that is 10 seconds slow', () => ({ exp: nowIn(-10), iat: nowIn(-70) })],
    ['by a clock that is 20 seconds fast', () => ({ iat: nowIn(20) })],
    ['for several clients, of which this one is named', () => ({ aud: ['console', 'other'], azp: 'console' })],
  ])('%s counts', async (_, claims) => {
    const { issuer, signIn } = await startFixture()
    issuer.claims = claims()
    expect(await signIn()).toEqual(succeeded)
  })

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  it.each<[string, RegExp, (parts: TokenParts, issuer: OpenidIssuer) => Promise<string | undefined>]>([
    [
      'without a signature',
      /unexpected JWT .*alg/,
      async ({ claims }) => `${encoded({ alg: 'none' })}.${encoded(claims)}.`,
    ],
    [
      'that is signed with the public key as a secret',
      /unexpected JWT .*alg/,
      async ({ claims, key }) => {
        const pem = await exportSPKI((await importJWK(key.jwk, 'RS256', { extractable: true })) as CryptoKey)
        return new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', kid: key.kid })
          .sign(new TextEncoder().encode(pem))
      },
    ],
    [
      'that is signed with the secret of the client',
      /unexpected JWT .*alg/,
      ({ claims }) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode('s3cret')),
    ],
    [
      'of an algorithm that is not listed',
      /unexpected JWT .*alg/,
      async ({ claims }) => sign({ claims, key: await signingKey('one', 'RS384') }),
    ],
    ['of an unknown key', /no applicable keys/, async ({ claims }) => sign({ claims, key: await signingKey('two') })],
    [
      'of another key by the name of the right one',
      /signature verification failed/,
      async ({ claims }) => sign({ claims, key: await signingKey('one') }),
    ],
    [
      'that brings its own key',
      /no applicable keys/,
      async ({ claims }) => {
        const key = await signingKey('own')
        return sign({ claims, key }, { jwk: key.jwk })
      },
    ],
    ['that is missing', /id_token/, async () => undefined],
    ['that is none', /parse JWT Header/, async () => 'a.b.c'],
    [
      'that was changed',
      /signature verification failed/,
      async (parts) => {
        const [header, , signature] = (await sign(parts)).split('.')
        return `${header}.${encoded({ ...parts.claims, sub: '1' })}.${signature}`
      },
    ],
  ])('%s opens nothing', async (_, reason, token) => {
    const { issuer, reasonOf } = await startFixture()
    issuer.token = (parts) => token(parts, issuer)
    expect(await reasonOf()).toMatch(reason)
  })
})

describe('the keys of a provider', () => {
  it.each<[string, RegExp, OpenidIssuer['keys']]>([
    [
      'are not read beyond 1 MiB',
      /sent more than 1 MiB/,
      (response) => sendJson(response, { keys: [], more: 'x'.repeat(10_000_000) }),
    ],
    [
      'are not looked for elsewhere',
      /redirects, which is not followed/,
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/jwks' }).end(),
    ],
    ['have to be some', /keys.* must be an array/, (response) => sendJson(response, { keys: 'none' })],
    ['have to be there', /unexpected HTTP response status/, (response) => response.writeHead(500).end()],
  ])('%s', async (_, reason, keys) => {
    const { issuer, reasonOf } = await startFixture()
    issuer.keys = keys
    expect(await reasonOf()).toMatch(reason)
  })

  it('are not waited for beyond ten seconds', async () => {
    const { issuer, reasonOf } = await startFixture()
    const deadlines = holdDeadlines()
    issuer.keys = deadlines.pass
    expect(await reasonOf()).toMatch(/deadline exceeded/)
    expect(deadlines.given.at(-1)).toBe(10_000)
  })
})

describe('what a provider says of itself', () => {
  /** What a sign-in is answered that cannot begin. */
  async function refusalOf(document: Record<string, unknown>, entry: Record<string, unknown> = {}) {
    const issuer = await startOpenidIssuer()
    onTestFinished(() => issuer.close())
    issuer.document = document
    const server = await testServer({ providers: providersOf({ Company: { ...issuer.entry, ...entry } }) })
    const reply = await server.browser().get('oauth2/Company?type=1')
    return { reply: reply.body, issuer, server }
  }
  const refused = {
    error: 'the provider cannot be used at the moment: the log of the server says why',
  }

  it.each<[string, Record<string, unknown>]>([
    ['that it is somebody else', { issuer: 'https://id.example' }],
    ['no issuer', { issuer: undefined }],
    ['that it answers for all tenants', { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' }],
    ['no page', { authorization_endpoint: undefined }],
    ['a page that is a script', { authorization_endpoint: 'javascript:alert(1)' }],
    ['no keys', { jwks_uri: undefined }],
    ['keys in a file', { jwks_uri: 'file:///etc/passwd' }],
    ['that it signs with secrets only', { id_token_signing_alg_values_supported: ['HS256', 'none'] }],
  ])('begins no sign-in when it says %s', async (_, document) => {
    expect((await refusalOf(document)).reply).toEqual(refused)
  })

  it('sends no request into this network but to the host that the file names', async () => {
    const asked: string[] = []
    const inner = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end('{}')
    })
    await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void inner.close())
    const elsewhere = `http://127.0.0.1:${(inner.address() as AddressInfo).port}`
    const { issuer, server } = await refusalOf({ token_endpoint: `${elsewhere}/token`, jwks_uri: `${elsewhere}/jwks` })
    const reply = await signInAtProvider(server.browser(), 'Company')
    expect(redirectOf(reply)).toEqual(failedWith('failed'))
    expect(asked).toEqual([])
    expect(issuer.calls).toContain('GET /auth')
    expect(server.logged.at(-1)).toContain(`${new URL(elsewhere).host} has no public address`)
  })

  it('is asked for once by many people at a time, and again soon after a failure', async () => {
    const { issuer, server } = await refusalOf({ jwks_uri: undefined })
    const start = () => server.browser().get('oauth2/Company?type=1')
    await Promise.all([1, 2, 3].map(start))
    expect(issuer.calls).toEqual(['GET /.well-known/openid-configuration'])
    expect(server.logged.filter((line) => line.includes('jwks_uri'))).toHaveLength(1)
    issuer.document = {}
    const later = performance.now() + 5001
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later)
    onTestFinished(() => clock.mockRestore())
    expect((await start()).body).toMatchObject({ success: true })
    expect(issuer.calls).toHaveLength(2)
  })

  it('is asked for after ten minutes again, and counts from then on', async () => {
    const { issuer, server, signIn } = await startFixture()
    const begun = server.browser()
    const callback = await authorizeAtProvider(await startAtProvider(begun, 'Company'))
    issuer.document = { token_endpoint: `${issuer.issuer}/moved` }
    const later = performance.now() + 600_001
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later)
    onTestFinished(() => clock.mockRestore())
    expect(redirectOf(await openCallback(begun, callback))).toEqual(failedWith('failed'))
    expect(issuer.calls).toEqual(['GET /auth', 'GET /.well-known/openid-configuration', 'POST /moved'])
    issuer.document = { issuer: 'https://id.example' }
    clock.mockImplementation(() => later + 600_001)
    await expect(signIn()).rejects.toThrow('cannot be used')
  })

  it('may have a slash at the end of its name that the address of its document does not show', async () => {
    const issuer = await startOpenidIssuer()
    onTestFinished(() => issuer.close())
    const name = `${issuer.issuer}/application/o/console/`
    issuer.name = name
    const copied = { ...issuer.entry, issuer: `${name}.well-known/openid-configuration` }
    const server = await testServer({ providers: providersOf({ Company: copied }) })
    const member = await signedIn(server, 'member')
    const reply = await signInAtProvider(member, 'Company', 2)
    expect(redirectOf(reply)).toEqual([302, '/dashboard/profile?oauth2=true'])
    const { store } = server
    await server.app.close()
    // The other way to write it is the same issuer.
    const written = { ...issuer.entry, issuer: name }
    const later = await testServer({ store, providers: providersOf({ Company: written }) })
    expect(redirectOf(await signInAtProvider(later.browser(), 'Company'))).toEqual(succeeded)
  })
})

describe('the file of providers', () => {
  const company = { issuer: 'https://id.example/realms/acme', client_id: 'console', client_secret: 's3cret' }
  const read = (entry: Record<string, unknown>) => providersOf({ Company: entry }).get('Company') as OpenidProvider

  it('takes an issuer in place of the addresses, also with its document', () => {
    expect(read(company)).toMatchObject({ kind: 'openid', scopes: ['openid'] })
    const { issuer, scopes } = read({
      ...company,
      issuer: `${company.issuer}/.well-known/openid-configuration`,
      scopes: ['groups'],
    })
    expect([issuer.href, scopes]).toEqual([company.issuer, ['openid', 'groups']])
  })

  it.each([
    ['http://id.example', 'is no https:// address'],
    ['https://id.example/?a=1', 'is no issuer'],
    ['https://me:s3cret@id.example', 'is no issuer'],
    ['id.example', 'is no https:// address'],
  ])('refuses the issuer %s', (issuer, words) => {
    expect(() => read({ ...company, issuer })).toThrow(words)
  })
})
