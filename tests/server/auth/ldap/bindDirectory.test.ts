import { describe, expect, it } from 'vitest'
import { type AuditLine, openAuditLog } from '../../../../server/audit/auditLog.ts'
import { directoryPasswordExpired, providerUnusable } from '../../../../src/schemas/define/wireNames.ts'
import { type LdapEntry, type LdapServer, ldapResult, startLdapServer } from '../../../support/fakes/ldapServer.ts'
import { password, signedIn, testServer } from '../../../support/server/testServer.ts'

const base = 'dc=example,dc=org'
const service: LdapEntry = { dn: `cn=reader,${base}`, password: 'service-password', attributes: { cn: 'reader' } }
const personCalled = (uid: string, id = `id-of-${uid}`): LdapEntry => ({
  dn: `uid=${uid},ou=people,${base}`,
  password: `${uid}-password`,
  attributes: { uid, entryUUID: id },
})

/** A server with a directory in which the member of this server is called `msmith`. */
async function startFixture() {
  const state = { isDown: false, isExpired: false }
  const entries = [service, personCalled('msmith'), personCalled('alice')]
  const ldap: LdapServer = await startLdapServer({
    entries,
    intercept(operation, socket, id) {
      if (state.isDown) socket.write(ldapResult(id, 0x61, 51))
      // The service account comes first.
      const isRefused = state.isExpired && operation === 'bind' && ldap.binds.at(-1)?.dn !== service.dn
      const text = '80090308: LdapErr: DSID-0C09044E, comment: AcceptSecurityContext error, data 773, v4563'
      if (isRefused) socket.write(ldapResult(id, 0x61, 49, text))
      return state.isDown || isRefused
    },
  })
  const lines: AuditLine[] = []
  const server = await testServer({ audit: openAuditLog({ lines }) })
  const admin = await signedIn(server)
  const form = {
    kind: 'ldap',
    name: 'Directory',
    secret: 'service-password',
    create_accounts: true,
    settings: { url: ldap.url, base, bind_dn: service.dn },
    groups: [],
  }
  expect((await admin.call('POST', 'wheelhouse/sign-in-providers', { body: form })).body).toMatchObject({
    success: true,
  })
  const member = await signedIn(server, 'member')
  const bind = (username: string, typed = `${username}-password`, browser = member) =>
    browser.call('POST', 'wheelhouse/profile/directory', { body: { provider: 'Directory', username, password: typed } })
  const profile = async () => ((await member.get('profile')).body as { data: { oauth2_bind?: object } }).data
  return { server, admin, member, bind, profile, lines, ldap, state, entries }
}

describe('the account of a directory that somebody binds', () => {
  it('signs in to the account here by the name and the password there, and not after it is unbound', async () => {
    const { server, member, bind, profile, lines, entries } = await startFixture()
    expect(await profile()).toMatchObject({ directories: ['Directory'] })
    expect((await bind('msmith')).body).toEqual({ success: true })
    expect(await profile()).toMatchObject({ oauth2_bind: { directory: `${base}#id-of-msmith` } })
    // It is known again by its id.
    entries[1] = personCalled('mjones', 'id-of-msmith')
    const browser = server.browser()
    await browser.signIn('mjones', 'mjones-password')
    expect((await browser.get('profile')).body).toMatchObject({ data: { id: 2, username: 'member' } })
    expect((await server.browser().signIn('member', password)).body).toMatchObject({ success: true })
    expect((await member.call('POST', 'oauth2/Directory/unbind')).body).toEqual({ success: true })
    expect(await profile()).not.toHaveProperty('oauth2_bind')
    // Whoever they are now has an account of their own.
    const stranger = server.browser()
    await stranger.signIn('mjones', 'mjones-password')
    expect((await stranger.get('profile')).body).toMatchObject({ data: { username: 'mjones' } })
    expect(lines.filter(({ action }) => action.startsWith('oauth2.'))).toMatchObject([
      { action: 'oauth2.bind', user_id: 2, target: 'Directory' },
      { action: 'oauth2.unbind', user_id: 2, target: 'Directory' },
    ])
    expect(JSON.stringify(lines)).not.toContain('msmith-password')
  })

  it('is taken from the account that its first sign-in has made here, whose name it keeps', async () => {
    const { server, bind } = await startFixture()
    const alice = server.browser()
    await alice.signIn('alice', 'alice-password')
    expect((await bind('alice')).body).toEqual({ success: true })
    const again = server.browser()
    await again.signIn('alice', 'alice-password')
    expect((await again.get('profile')).body).toMatchObject({ data: { id: 2 } })
  })

  it('is guessed as slowly as at the sign-in, and each wrong password is in the audit log', async () => {
    const { server, bind, lines, ldap } = await startFixture()
    expect((await bind('alice', 'wrong')).body).toEqual({ error: expect.stringContaining('does not accept') })
    expect(lines.at(-1)).toMatchObject({
      action: 'user.wrong-password',
      target: 'user 2',
      detail: { by: 'Directory' },
    })
    const asked = ldap.binds.length
    expect((await bind('alice')).status).toBe(403)
    expect((await server.browser().signIn('alice', 'alice-password')).status).toBe(403)
    expect(ldap.binds).toHaveLength(asked)
  })

  it('is refused as such while the directory cannot be used, and by the name of one that there is not', async () => {
    const { server, member, bind, state } = await startFixture()
    state.isDown = true
    expect((await bind('msmith')).body).toEqual({ error: providerUnusable })
    expect(server.logged.join('\n')).toContain('it answers "busy" (51)')
    const body = { provider: 'directory', username: 'msmith', password: 'msmith-password' }
    const reply = await member.call('POST', 'wheelhouse/profile/directory', { body })
    expect(reply.body).toEqual({ error: 'provider not found' })
  })

  it('with a password that must be changed first says so, and blocks nobody', async () => {
    const { bind, state } = await startFixture()
    state.isExpired = true
    expect((await bind('msmith')).body).toEqual({ error: directoryPasswordExpired })
    state.isExpired = false
    expect((await bind('msmith')).body).toEqual({ success: true })
  })

  it('needs a recent sign-in, and no API token will do', async () => {
    const { server, bind } = await startFixture()
    const { secret } = server.app.auth.apiTokens.create({
      user_id: 2,
      name: 't',
      scopes: ['nezha:*'],
      server_ids: [],
      expires_at: '',
    })
    const body = { provider: 'Directory', username: 'msmith', password: 'msmith-password' }
    const program = await server
      .browser()
      .call('POST', 'wheelhouse/profile/directory', { body, headers: { authorization: `Bearer ${secret}` } })
    expect(program.body).not.toMatchObject({ success: true })
    server.clock.now += 16 * 60_000
    expect((await bind('msmith')).body).toEqual({ error: expect.stringContaining('sign in again') })
  })

  it('is not bound by somebody whose last way to sign in it would take away', async () => {
    const { server, admin, bind } = await startFixture()
    await bind('alice', undefined, admin)
    await admin.call('PATCH', 'wheelhouse/only-providers', { body: { only: true } })
    expect((await bind('alice')).body).toEqual({ error: expect.stringContaining('no administrator could come in') })
    expect(server.app.auth.bindings.canSignIn(1)).toBe(true)
  })
})
