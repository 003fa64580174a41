import { describe, expect, it } from 'vitest'
import type { Browser } from '../../../support/console/browser.ts'
import {
  authorizeAtProvider,
  openCallback,
  signInAtProvider,
  startAtProvider,
} from '../../../support/journeys/oauth2Journey.ts'
import { failedWith, failures, oauth2Servers, redirectOf } from '../../../support/server/auth/oauth2Servers.ts'
import { password, signedIn } from '../../../support/server/testServer.ts'

const { open, provider, withBoundMember } = oauth2Servers()

describe('a callback is accepted', () => {
  it('once', async () => {
    const { server } = await withBoundMember()
    const browser = server.browser()
    const back = await authorizeAtProvider(await startAtProvider(browser, 'GitHub'))
    const cookie = browser.cookies.get('nz-o2s') ?? ''
    expect(redirectOf(await openCallback(browser, back))).toEqual([302, '/dashboard/login?oauth2=true'])
    const attacker = server.browser()
    attacker.cookies.set('nz-o2s', cookie)
    expect(redirectOf(await openCallback(attacker, back))).toEqual(failedWith('state'))
  })

  it('in the browser that started it, and in no other', async () => {
    const { server } = await withBoundMember()
    const victim = server.browser()
    const back = await authorizeAtProvider(await startAtProvider(victim, 'GitHub'))
    expect(redirectOf(await openCallback(server.browser(), back))).toEqual(failedWith('state'))
    const another = server.browser()
    await startAtProvider(another, 'GitHub')
    expect(redirectOf(await openCallback(another, back))).toEqual(failedWith('state'))
    expect(failures(server)).toEqual([])
  })

  it('for 300 seconds', async () => {
    const { server } = await withBoundMember()
    const [intime, late] = [server.browser(), server.browser()]
    const backs = [
      await authorizeAtProvider(await startAtProvider(intime, 'GitHub')),
      await authorizeAtProvider(await startAtProvider(late, 'GitHub')),
    ]
    server.clock.now += 299_000
    expect(redirectOf(await openCallback(intime, backs[0] as URL))).toEqual([302, '/dashboard/login?oauth2=true'])
    server.clock.now += 1000
    expect(redirectOf(await openCallback(late, backs[1] as URL))).toEqual(failedWith('state'))
  })

  it('after a restart of the server', async () => {
    const { server } = await withBoundMember()
    const browser = server.browser()
    const back = await authorizeAtProvider(await startAtProvider(browser, 'GitHub'))
    const again = (await open({ store: server.store })).browser()
    for (const [name, value] of browser.cookies) again.cookies.set(name, value)
    expect(redirectOf(await openCallback(again, back))).toEqual([302, '/dashboard/login?oauth2=true'])
  })

  it.each(['garbage', 'a.b.c.d.e', ''])('only with its own cookie, not with "%s"', async (cookie) => {
    const browser = (await open()).browser()
    browser.cookies.set('nz-o2s', cookie)
    expect(redirectOf(await browser.get('oauth2/callback?state=x&code=y'))).toEqual(failedWith('state'))
  })

  it('for the provider of the pending sign-in: the code of another provider is rejected', async () => {
    const { server } = await withBoundMember()
    const browser = server.browser()
    const code = (await authorizeAtProvider(await startAtProvider(browser, 'GitHub'))).searchParams.get('code')
    const state = (await startAtProvider(browser, 'My OIDC')).searchParams.get('state')
    expect(redirectOf(await browser.get(`oauth2/callback?state=${state}&code=${code}`))).toEqual(failedWith('rejected'))
  })

  it('and a guessed code counts as a failure', async () => {
    const server = await open()
    const browser = server.browser('198.51.100.52')
    const state = (await startAtProvider(browser, 'GitHub')).searchParams.get('state')
    expect(redirectOf(await browser.get(`oauth2/callback?state=${state}&code=bad`))).toEqual(failedWith('rejected'))
    expect(failures(server, '198.51.100.52')).toMatchObject([{ block_identifier: -126, block_reason: 5, count: 1 }])
    const next = (await startAtProvider(browser, 'GitHub')).searchParams.get('state')
    expect((await browser.get(`oauth2/callback?state=${next}&code=bad`)).text).toContain(
      'failed sign-ins at a provider',
    )
    expect((await browser.get('setting')).status).toBe(200)
    expect((await browser.signIn('admin', password)).body).toMatchObject({ success: true })
  })

  it('and holds up no browser at the address in which somebody signed in before', async () => {
    const server = await open()
    const known = await signedIn(server, 'member', '198.51.100.54')
    await known.call('POST', 'wheelhouse/logout')
    const replyTo = async (browser: Browser) => {
      const state = (await startAtProvider(browser, 'GitHub')).searchParams.get('state')
      return browser.get(`oauth2/callback?state=${state}&code=bad`)
    }
    expect(redirectOf(await replyTo(server.browser('198.51.100.54')))).toEqual(failedWith('rejected'))
    expect((await replyTo(server.browser('198.51.100.54'))).status).toBe(403)
    expect(redirectOf(await replyTo(known))).toEqual(failedWith('rejected'))
    expect((await replyTo(known)).status).toBe(403)
  })

  it('and so does a missing code', async () => {
    const server = await open()
    const browser = server.browser('198.51.100.53')
    const state = (await startAtProvider(browser, 'GitHub')).searchParams.get('state')
    expect(redirectOf(await browser.get(`oauth2/callback?state=${state}`))).toEqual(failedWith('no_code'))
    expect(failures(server, '198.51.100.53')).toMatchObject([{ block_identifier: -126, block_reason: 5, count: 1 }])
  })

  it('and a refusal by the user at the provider does not count as a failure', async () => {
    provider().consents = false
    const server = await open()
    expect(redirectOf(await signInAtProvider(server.browser(), 'GitHub'))).toEqual(failedWith('denied'))
    expect(failures(server)).toEqual([])
  })

  it('and never shows text of the provider on the page', async () => {
    const browser = (await open()).browser()
    const state = (await startAtProvider(browser, 'GitHub')).searchParams.get('state')
    const reply = await browser.get(`oauth2/callback?state=${state}&error=${encodeURIComponent('<script>1</script>')}`)
    expect(redirectOf(reply)).toEqual(failedWith('failed'))
    expect(reply.text).not.toContain('script')
  })
})
