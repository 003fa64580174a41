import { describe, expect, it } from 'vitest'
import { type AuditLine, openAuditLog } from '../../../../server/audit/auditLog.ts'
import { usersIn } from '../../../../server/auth/users/users.ts'
import {
  authorizeAtProvider,
  openCallback,
  signInAtProvider,
  startAtProvider,
} from '../../../support/journeys/oauth2Journey.ts'
import {
  failedWith,
  failures,
  oauth2Servers,
  profileOf,
  redirectOf,
} from '../../../support/server/auth/oauth2Servers.ts'
import { providersOf } from '../../../support/server/auth/providersFile.ts'
import { setUpTotp } from '../../../support/server/auth/secondFactor.ts'
import { password, signedIn } from '../../../support/server/testServer.ts'

const { open, provider, withBoundMember } = oauth2Servers()

describe('binding an account', () => {
  it('asks for the password again: a bound account is one more way to sign in', async () => {
    const server = await open()
    const admin = await signedIn(server)
    await setUpTotp(server, admin)
    server.clock.now += 16 * 60_000
    const reply = await admin.get('oauth2/GitHub?type=2')
    expect(reply.body).toEqual({ error: expect.stringMatching(/^ApiErrorReauthentication: /) })
    expect((await admin.get('oauth2/GitHub?type=1')).body).toMatchObject({ success: true })
  })
})

describe('binding', () => {
  it('adds an account to the user who is signed in, and renews the session', async () => {
    const { member } = await withBoundMember()
    expect(await profileOf(member)).toMatchObject({ oauth2_bind: { github: '4711' } })
    expect(redirectOf(await signInAtProvider(member, 'GitHub', 2))).toEqual([302, '/dashboard/profile?oauth2=true'])
    provider().account = '9'
    await signInAtProvider(member, 'GitHub', 2)
    expect(await profileOf(member)).toMatchObject({ oauth2_bind: { github: '9' } })
  })

  it('is refused without a session, before the code is used', async () => {
    const server = await open()
    const back = await authorizeAtProvider(await startAtProvider(server.browser(), 'GitHub', 2))
    const unauthenticated = server.browser()
    await startAtProvider(unauthenticated, 'GitHub', 2)
    provider().calls = []
    expect(redirectOf(await signInAtProvider(unauthenticated, 'GitHub', 2))).toEqual(failedWith('not_signed_in'))
    expect(provider().calls).not.toContain('POST /token')
    expect(back.searchParams.get('code')).toBeTruthy()
    expect(failures(server)).toEqual([])
  })

  it('is refused when another user has signed in meanwhile', async () => {
    const server = await open()
    const browser = await signedIn(server, 'member')
    const back = await authorizeAtProvider(await startAtProvider(browser, 'GitHub', 2))
    await browser.signIn('admin', password)
    expect(redirectOf(await openCallback(browser, back))).toEqual(failedWith('not_signed_in', 'profile'))
    expect(await profileOf(browser)).not.toHaveProperty('oauth2_bind')
  })

  it('takes an account from the user who had it', async () => {
    const { server, member } = await withBoundMember()
    const admin = await signedIn(server)
    await signInAtProvider(admin, 'GitHub', 2)
    expect(await profileOf(admin)).toMatchObject({ oauth2_bind: { github: '4711' } })
    expect(await profileOf(member)).not.toHaveProperty('oauth2_bind')
    const browser = server.browser()
    await signInAtProvider(browser, 'GitHub')
    expect(await profileOf(browser)).toMatchObject({ username: 'admin' })
  })

  it('that is refused at the provider redirects to the profile', async () => {
    provider().consents = false
    const server = await open()
    expect(redirectOf(await signInAtProvider(await signedIn(server), 'GitHub', 2))).toEqual(
      failedWith('denied', 'profile'),
    )
  })
})

describe('unbinding', () => {
  it('removes the account from the profile, also when there was none', async () => {
    const { member } = await withBoundMember()
    for (let time = 0; time < 2; time++) {
      expect((await member.call('POST', 'oauth2/GitHub/unbind')).body).toEqual({ success: true })
      expect(await profileOf(member)).not.toHaveProperty('oauth2_bind')
    }
  })

  it('is refused where it would lock the user out', async () => {
    const { server, member } = await withBoundMember()
    usersIn(server.store).update(2, { reject_password: true })
    const refusal = { error: 'operation not permitted' }
    expect((await member.call('POST', 'oauth2/GitHub/unbind')).body).toEqual(refusal)
    await signInAtProvider(member, 'My OIDC', 2)
    expect((await member.call('POST', 'oauth2/GitHub/unbind')).body).toEqual({ success: true })
    expect((await member.call('POST', 'oauth2/My%20OIDC/unbind')).body).toEqual(refusal)
  })

  it('does not count a binding at a provider that is no longer configured', async () => {
    const { server, member } = await withBoundMember()
    await signInAtProvider(member, 'My OIDC', 2)
    usersIn(server.store).update(2, { reject_password: true })
    const later = await open({ store: server.store, providers: providersOf({ GitHub: provider().entry }) })
    const browser = later.browser()
    for (const [name, value] of member.cookies) browser.cookies.set(name, value)
    expect((await browser.call('POST', 'oauth2/GitHub/unbind')).body).toEqual({ error: 'operation not permitted' })
  })

  it('requires the exact name, a session, and the CSRF value', async () => {
    const { server, member } = await withBoundMember()
    expect((await member.call('POST', 'oauth2/github/unbind')).body).toEqual({ error: 'provider not found' })
    expect((await server.browser().call('POST', 'oauth2/GitHub/unbind')).body).toEqual({
      error: 'ApiErrorUnauthorized',
    })
    const forged = await member.call('POST', 'oauth2/GitHub/unbind', { headers: { 'x-csrf-token': 'x' } })
    expect(forged.status).toBe(403)
  })
})

it('binding, sign-ins, failures and unbinding are in the audit log, without the account’s id', async () => {
  const lines: AuditLine[] = []
  const { server, member } = await withBoundMember({ audit: openAuditLog({ lines }) })
  await signInAtProvider(server.browser(), 'GitHub')
  await member.call('POST', 'oauth2/GitHub/unbind')
  await signInAtProvider(server.browser(), 'GitHub')
  expect(lines.map(({ action, username, target, detail }) => [action, username, target, detail])).toEqual([
    ['session.sign-in', 'member', undefined, { by: 'password' }],
    ['oauth2.bind', 'member', 'GitHub', undefined],
    ['session.sign-in', 'member', undefined, { by: 'GitHub' }],
    ['oauth2.unbind', 'member', 'GitHub', undefined],
    ['session.sign-in-failed', undefined, undefined, { by: 'GitHub', outcome: 'unbound' }],
  ])
  expect(JSON.stringify(lines)).not.toContain('4711')
})
