import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../../support/console/browser.ts'
import { type Exchange, named, readRecording, timeless } from '../../support/recorded/recording.ts'
import { password, signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

const own = { original_password: password, new_username: 'member', new_password: 'another battery' }

describe('every change of a profile that was recorded with a real server goes the same way here', () => {
  /** Real servers take an empty name, and their sign-in form takes it too; here nobody could come back with one. */
  const departures: Record<string, unknown> = {
    'update empty username': { error: "username can't be empty" },
    'login with the empty username': { error: 'ApiErrorUnauthorized' },
  }
  /** Those that need a binding stand in the tests of OAuth2. */
  const exchanges = readRecording('profile').filter(
    ({ name }) => !/oauth2 binding$|with a binding|reject_password$|reject_password user/.test(name),
  )
  let server: TestServer
  let present = password
  beforeAll(async () => {
    server = await testServer({ site: { web_real_ip_header: '' } })
  })

  it.each(named(exchanges))('%s', async (name, exchange) => {
    const { status, body } = await replay(exchange)
    expect(status).toBe(exchange.response.status)
    expect(comparable(body)).toEqual(comparable(departures[name] ?? exchange.response.body))
  })

  /** The recordings know other passwords at the start, and go on after a name that is refused here. */
  const own = (given: Record<string, unknown>): Record<string, unknown> => {
    const isRight = given.original_password !== 'nope'
    return { ...given, ...(isRight && 'original_password' in given && { original_password: present }) }
  }

  async function replay({ name, request }: Exchange) {
    const username = /^admin/.test(name) ? 'admin' : 'member'
    const browser = server.browser()
    if (!/anonymous|^login|^old session|^session after/.test(name)) {
      await browser.signIn(username, username === 'admin' ? password : present)
    }
    const path = request.path.replace('/api/v1/', '')
    if (request.method === 'GET') return browser.get(path)
    if (request.bodyText !== undefined) return browser.call('POST', path, { body: request.bodyText })
    const body = own(request.body as Record<string, unknown>)
    // Real servers take a password of one character.
    if (name === 'update short new password') body.new_password = 'long enough'
    const isLogin = path === 'login' && body.username !== ''
    const reply = await browser.call('POST', path, { body: isLogin ? { ...body, password: present } : body })
    if (path === 'profile' && (reply.body as { success?: boolean }).success) present = String(body.new_password)
    return reply
  }

  const comparable = (body: unknown) =>
    JSON.parse(JSON.stringify(timeless(body)), (key, value) =>
      ['token', 'agent_secret'].includes(key) ? '<token>' : value,
    )
})

describe('changing the own name and password', () => {
  let server: TestServer
  let member: Browser
  beforeEach(async () => {
    server = await testServer()
    member = await signedIn(server, 'member')
  })
  const change = (body: object, browser = member) => browser.call('POST', 'profile', { body })

  it('ends all sessions of the account at once, and no others', async () => {
    const elsewhere = await signedIn(server, 'member')
    const admin = await signedIn(server)
    expect((await change({ ...own, new_username: 'milly' })).body).toEqual({ success: true })
    for (const browser of [member, elsewhere]) {
      expect((await browser.get('profile')).body).toEqual({ error: 'ApiErrorUnauthorized' })
    }
    expect((await admin.get('profile')).body).toMatchObject({ success: true })
    expect((await server.browser().signIn('member', password)).body).toEqual({ error: 'ApiErrorUnauthorized' })
    server.clock.now += 10_000
    expect((await server.browser().signIn('milly', 'another battery')).body).toMatchObject({ success: true })
  })

  it.each([
    [{ original_password: 'guessed wrong' }, 'incorrect password'],
    [{ new_username: 'admin' }, 'database error'],
    [{ new_username: '' }, "username can't be empty"],
    [{ new_password: '' }, "password can't be empty"],
    [{ new_password: 'é'.repeat(37) }, 'bcrypt: password length exceeds 72 bytes'],
    [{ reject_password: true }, "you don't have any oauth2 bindings"],
    [{ new_username: 7 }, 'json: cannot unmarshal number into Go struct field ProfileForm.new_username of type string'],
  ])('is refused for %o, and the session goes on', async (wrong, error) => {
    expect((await change({ ...own, ...wrong })).body).toEqual({ error })
    server.clock.now += 3000
    expect((await member.get('profile')).body).toMatchObject({ data: { username: 'member' } })
  })

  it('requires the name and the password even when only one of them changes', async () => {
    const { new_username: _, ...withoutName } = own
    expect((await change(withoutName)).body).toEqual({ error: "username can't be empty" })
  })

  it('is refused without a session, and without the CSRF value', async () => {
    expect((await change(own, server.browser())).body).toEqual({ error: 'ApiErrorUnauthorized' })
    member.cookies.delete('nz-csrf')
    expect((await change(own)).status).toBe(403)
  })
})
