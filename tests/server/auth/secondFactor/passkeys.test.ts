import { beforeEach, describe, expect, it } from 'vitest'
import { createSealedTokens } from '../../../../server/auth/sessions/sealedTokens.ts'
import type { Browser } from '../../../support/console/browser.ts'
import { createAuthenticator } from '../../../support/fakes/authenticator.ts'
import { beginSignIn, completeSignIn, setUpTotp } from '../../../support/server/auth/secondFactor.ts'
import { password, signedIn, type TestServer, testServer } from '../../../support/server/testServer.ts'

const origin = 'http://localhost:8008'
const page = { origin, host: 'localhost:8008' }
const good = { success: true, data: { token: expect.any(String), expire: expect.any(String) } }
const refused = { error: 'the passkey was not accepted' }
const expired = { error: 'this took too long: start again' }

interface Asked {
  passkey: { challenge: string; rpId?: string; rp?: { id: string }; allowCredentials?: { id: string }[] }
  challenge: string
}

let server: TestServer
let admin: Browser
let device: ReturnType<typeof createAuthenticator>
beforeEach(async () => {
  server = await testServer()
  admin = await signedIn(server)
  device = createAuthenticator(origin)
})

async function ask(
  browser: Browser,
  path: string,
  body?: object,
  headers: Record<string, string> = page,
): Promise<Asked> {
  const reply = await browser.call('POST', `wheelhouse/${path}`, { body, headers })
  const { data } = reply.body as { data?: Asked }
  if (!data) throw new Error(reply.text)
  return data
}

async function addPasskey(browser = admin, from = device, name = 'Laptop') {
  const { passkey, challenge } = await ask(browser, 'second-factor/passkeys/start')
  const body = { name, challenge, response: from.create(passkey) }
  return browser.call('POST', 'wheelhouse/second-factor/passkeys', { body, headers: page })
}

const pause = () => {
  server.clock.now += 120_000
}

describe('adding a passkey', () => {
  it('stores its public key, lists it by name, and gives recovery codes with the first one', async () => {
    const reply = await addPasskey()
    expect(reply.body).toMatchObject({ data: { recovery_codes: expect.any(Array) } })
    expect((await admin.get('wheelhouse/second-factor')).body).toMatchObject({
      data: {
        passkeys: [{ name: 'Laptop', host: 'localhost', created_at: '2026-11-21T00:00:00Z' }],
        recovery_codes: 10,
      },
    })
    const second = await addPasskey(admin, createAuthenticator(origin), 'Key')
    expect(second.body).toEqual({ success: true, data: {} })
  })

  it('takes a challenge once, and only of the person who asked for it', async () => {
    const { passkey, challenge } = await ask(admin, 'second-factor/passkeys/start')
    const body = { name: 'x', challenge, response: device.create(passkey) }
    const member = await signedIn(server, 'member')
    const add = (browser: Browser) => browser.call('POST', 'wheelhouse/second-factor/passkeys', { body, headers: page })
    expect((await add(member)).body).toEqual(expired)
    expect((await add(admin)).body).toMatchObject({ success: true })
    expect((await add(admin)).body).toEqual(expired)
  })

  it.each([
    ['of another challenge', { challenge: 'AAAA' }, {}],
    ['from a page of another origin', {}, { origin: 'https://evil.example' }],
    ['for another host name', {}, { rpId: 'evil.example' }],
  ])('refuses a reply %s', async (_, other, claims) => {
    const { passkey, challenge } = await ask(admin, 'second-factor/passkeys/start')
    const body = { name: 'x', challenge, response: device.create({ ...passkey, ...other }, claims) }
    const reply = await admin.call('POST', 'wheelhouse/second-factor/passkeys', { body, headers: page })
    expect(reply.body).toEqual(refused)
  })

  it.each([[{}], [{ id: 1 }], [{ id: 'x', response: null }], [{ id: 'x', response: { attestationObject: '' } }]])(
    'refuses a reply that is none: %j',
    async (response) => {
      const { challenge } = await ask(admin, 'second-factor/passkeys/start')
      const body = { name: 'x', challenge, response }
      const reply = await admin.call('POST', 'wheelhouse/second-factor/passkeys', { body, headers: page })
      expect(reply.body).toEqual(refused)
    },
  )

  it('says by which address to open the console where passkeys do not work', async () => {
    const start = (browser: Browser, headers: Record<string, string>) =>
      browser.call('POST', 'wheelhouse/second-factor/passkeys/start', { headers })
    expect((await start(admin, { origin: 'http://127.0.0.1:8008' })).body).toEqual({
      error: 'passkeys do not work at this address: open the console by https and a host name, or localhost',
    })
    const proxied = await testServer({
      settings: { host: '127.0.0.1', publicUrl: new URL('https://console.example.org') },
    })
    const browser = await signedIn(proxied)
    expect((await start(browser, { origin: 'http://localhost:8008', host: 'localhost:8008' })).body).toEqual({
      error: 'passkeys do not work at this address: open the console by https://console.example.org',
    })
  })

  it('belongs to PUBLIC_URL behind a proxy, whatever host name the proxy sends on', async () => {
    const publicUrl = new URL('https://console.example.org')
    const proxied = await testServer({ settings: { host: '127.0.0.1', publicUrl } })
    const browser = await signedIn(proxied)
    const headers = { origin: publicUrl.origin, host: '127.0.0.1:8008' }
    const { passkey, challenge } = await ask(browser, 'second-factor/passkeys/start', undefined, headers)
    expect(passkey.rp?.id).toBe('console.example.org')
    const response = createAuthenticator(publicUrl.origin).create(passkey)
    const body = { name: 'x', challenge, response }
    expect((await browser.call('POST', 'wheelhouse/second-factor/passkeys', { body, headers })).body).toMatchObject({
      success: true,
    })
  })

  it('has an end at twenty', async () => {
    for (let count = 0; count < 20; count++) await addPasskey(admin, createAuthenticator(origin), `Key ${count}`)
    const reply = await admin.call('POST', 'wheelhouse/second-factor/passkeys/start', { headers: page })
    expect(reply.body).toEqual({ error: 'you have 20 passkeys, and no more fit: remove one first' })
  })
})

describe('signing in with a passkey after the password', () => {
  beforeEach(async () => {
    await addPasskey()
  })

  it('opens the session', async () => {
    const browser = server.browser()
    const state = await beginSignIn(browser, 'admin', password)
    const { passkey, challenge } = await ask(browser, 'sign-in/options', { state })
    expect(passkey).toMatchObject({ rpId: 'localhost', allowCredentials: [{ id: expect.any(String) }] })
    // A security key without a PIN is a second factor all the same.
    const response = device.use(passkey, { userVerified: false })
    const reply = await completeSignIn(browser, { state, method: 'passkey', challenge, response }, page)
    expect(reply.body).toEqual(good)
  })

  it('refuses a replayed reply, the passkey of somebody else, and one that was copied', async () => {
    const member = await signedIn(server, 'member')
    const other = createAuthenticator(origin)
    await addPasskey(member, other)
    const attempt = async (from: typeof device, claims?: object) => {
      pause()
      const browser = server.browser()
      const state = await beginSignIn(browser, 'admin', password)
      const { passkey, challenge } = await ask(browser, 'sign-in/options', { state })
      const body = { state, method: 'passkey', challenge, response: from.use(passkey, claims) }
      return { body, reply: await completeSignIn(browser, body, page) }
    }
    const { body, reply } = await attempt(device, { counter: 10 })
    expect(reply.body).toEqual(good)
    const state = await beginSignIn(server.browser(), 'admin', password)
    expect((await completeSignIn(server.browser(), { ...body, state }, page)).body).toEqual(expired)
    expect((await attempt(other)).reply.body).toEqual(refused)
    expect((await attempt(device, { counter: 9 })).reply.body).toEqual(refused)
    expect((await attempt(device, { origin: 'http://localhost:9999' })).reply.body).toEqual(refused)
    expect((await attempt(device, { counter: 11 })).reply.body).toEqual(good)
  })

  it('counts a refused one as a wrong password', async () => {
    const browser = server.browser('203.0.113.4')
    const state = await beginSignIn(browser, 'admin', password)
    const { passkey, challenge } = await ask(browser, 'sign-in/options', { state })
    const response = createAuthenticator(origin).use(passkey)
    expect((await completeSignIn(browser, { state, method: 'passkey', challenge, response }, page)).body).toEqual(
      refused,
    )
    expect((await browser.signIn('admin', password)).status).toBe(403)
  })

  it('is not offered at an address for which the passkey was not made; a recovery code is', async () => {
    const browser = server.browser()
    const state = await beginSignIn(browser, 'admin', password)
    const options = await browser.call('POST', 'wheelhouse/sign-in/options', { body: { state } })
    expect(options.body).toEqual({ success: true, data: { methods: ['recovery'] } })
  })
})

describe('signing in with a passkey instead of the password', () => {
  const signIn = async (claims?: object, from = device) => {
    const browser = server.browser()
    const { passkey, challenge } = await ask(browser, 'sign-in/options', {})
    return {
      browser,
      passkey,
      reply: await completeSignIn(browser, { method: 'passkey', challenge, response: from.use(passkey, claims) }, page),
    }
  }

  it('is announced to everybody once somebody has one, and opens the session of its owner', async () => {
    expect((await server.browser().get('setting')).body).not.toMatchObject({ data: { wheelhouse: { passkeys: true } } })
    const member = await signedIn(server, 'member')
    await addPasskey(member)
    expect((await server.browser().get('setting')).body).toMatchObject({ data: { wheelhouse: { passkeys: true } } })
    const { browser, passkey, reply } = await signIn()
    expect(passkey).toMatchObject({ userVerification: 'required', allowCredentials: [] })
    expect(reply.body).toEqual(good)
    expect((await browser.get('profile')).body).toMatchObject({ data: { username: 'member' } })
  })

  it('needs a device that has checked a PIN or a finger: alone it stands for two factors', async () => {
    await addPasskey()
    expect((await signIn({ userVerified: false })).reply.body).toEqual(refused)
  })

  it('does not wait for passwords that others guess at the address, in a new browser neither', async () => {
    await addPasskey()
    for (const name of ['admin', 'a', 'b', 'c', 'd']) await server.browser().signIn(name, 'guess')
    expect((await server.browser().signIn('member', password)).status).toBe(403)
    expect((await signIn()).reply.body).toEqual(good)
    expect((await signIn({}, createAuthenticator(origin))).reply.body).toEqual(refused)
    expect((await signIn()).reply.status).toBe(403)
  })

  it('knows no passkey that was removed, and none that was never added', async () => {
    await setUpTotp(server, admin)
    await addPasskey()
    const { data } = (await admin.get('wheelhouse/second-factor')).body as { data: { passkeys: { id: number }[] } }
    const member = await signedIn(server, 'member')
    const path = `wheelhouse/second-factor/passkeys/${data.passkeys[0]?.id}`
    expect((await member.call('DELETE', path)).body).toMatchObject({ error: expect.stringContaining('does not exist') })
    expect((await signIn()).reply.body).toEqual(good)
    expect((await admin.call('DELETE', path)).body).toEqual({ success: true })
    expect((await signIn()).reply.body).toEqual(refused)
    pause()
    expect((await signIn({}, createAuthenticator(origin))).reply.body).toEqual(refused)
  })

  it('takes neither the challenge of a second half, nor a code', async () => {
    await addPasskey()
    const state = await beginSignIn(server.browser(), 'admin', password)
    const { passkey, challenge } = await ask(server.browser(), 'sign-in/options', { state })
    const body = { method: 'passkey', challenge, response: device.use(passkey) }
    expect((await completeSignIn(server.browser(), body, page)).body).toEqual(expired)
    expect((await completeSignIn(server.browser(), { method: 'totp', code: '000000' }, page)).body).toEqual(expired)
  })
})

describe('the reply of a passkey that signed somebody in', () => {
  const challenge = async (browser: Browser, state?: string) => {
    const { passkey, challenge } = await ask(browser, 'sign-in/options', state === undefined ? {} : { state })
    return { ...(state !== undefined && { state }), method: 'passkey', challenge, response: device.use(passkey) }
  }

  it('does so once, also after a restart', async () => {
    await addPasskey()
    const used = await challenge(server.browser())
    expect((await completeSignIn(server.browser(), used, page)).body).toEqual(good)
    expect((await completeSignIn(server.browser(), used, page)).body).toEqual(expired)
    const unused = await challenge(server.browser())
    const restarted = await testServer({ store: server.store })
    restarted.clock.now = server.clock.now
    for (const reply of [used, unused]) {
      expect((await completeSignIn(restarted.browser(), reply, page)).body).toEqual(expired)
    }
  })

  it('does so only from the address at which it was asked for', async () => {
    await addPasskey()
    const [here, elsewhere] = [server.browser('203.0.113.4'), server.browser('203.0.113.5')]
    const alone = await challenge(here)
    expect((await completeSignIn(elsewhere, alone, page)).body).toEqual(expired)
    expect((await completeSignIn(here, alone, page)).body).toEqual(good)
    const second = await challenge(here, await beginSignIn(here, 'admin', password))
    const state = await beginSignIn(elsewhere, 'admin', password)
    expect((await completeSignIn(elsewhere, { ...second, state }, page)).body).toEqual(expired)
  })

  it('does so once, however many challenges others have used meanwhile', async () => {
    const tokens = createSealedTokens<{ of: string }>({ purpose: 'x', lifetime: 300, now: () => server.clock.now })
    const used = await tokens.create({ of: 'a person' })
    expect(await tokens.take(used)).toEqual({ of: 'a person' })
    server.clock.now += 2000
    for (let count = 0; count <= 10_000; count++) await tokens.take(await tokens.create({ of: 'others' }))
    expect(await tokens.take(used)).toBeUndefined()
    server.clock.now += 2000
    expect(await tokens.take(await tokens.create({ of: 'the next' }))).toEqual({ of: 'the next' })
  })
})
