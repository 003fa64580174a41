import { describe, expect, it, vi } from 'vitest'
import { type LdapEntry, type LdapServer, ldapResult, startLdapServer } from '../../../support/fakes/ldapServer.ts'
import { beginSignIn, completeSignIn, setUpTotp } from '../../../support/server/auth/secondFactor.ts'
import { password, signedIn, type TestServer, testServer } from '../../../support/server/testServer.ts'

const base = 'dc=example,dc=org'
const service: LdapEntry = { dn: `cn=reader,${base}`, password: 'service-password', attributes: { cn: 'reader' } }
const unauthorized = { error: 'ApiErrorUnauthorized' }

const personCalled = (uid: string, ...groups: string[]): LdapEntry => ({
  dn: `uid=${uid},ou=people,${base}`,
  password: `${uid}-password`,
  attributes: { uid, entryUUID: `id-of-${uid}`, memberOf: groups.map((name) => `cn=${name},ou=groups,${base}`) },
})

const formFor = (url: string, more: object = {}) => ({
  kind: 'ldap',
  name: 'Directory',
  secret: 'service-password',
  create_accounts: true,
  settings: { url, base, bind_dn: service.dn, member_of: true, group_base: `ou=groups,${base}` },
  groups: [{ group: 'operators', roles: [{ role: 'operator', scope: 'all' }] }],
  ...more,
})

/** A server with a directory in which `alice` is; the entries may change meanwhile. */
async function startFixture({
  form = {},
  intercept,
}: {
  form?: object
  intercept?: Parameters<typeof startLdapServer>[0]['intercept']
} = {}) {
  const entries = [service, personCalled('alice', 'operators'), personCalled('admin')]
  const ldap = await startLdapServer({ entries, intercept })
  const server = await testServer()
  const admin = await signedIn(server)
  const made = await admin.call('POST', 'wheelhouse/sign-in-providers', { body: formFor(ldap.url, form) })
  expect(made.body).toMatchObject({ success: true })
  return { server, admin, ldap, entries, id: (made.body as { data: { id: number } }).data.id }
}

const namesIn = ({ binds }: LdapServer) => binds.map(({ dn }) => dn)

async function rolesOf(server: TestServer, username: string) {
  const users = (await (await signedIn(server)).get('user')).body as {
    data: { id: number; username: string; role: number }[]
  }
  return users.data.find((user) => user.username === username)
}

describe('a sign-in with the password of a directory', () => {
  it('makes an account with the least rights, and signs in to the same one the next time', async () => {
    const { server } = await startFixture()
    const browser = server.browser()
    expect((await browser.signIn('alice', 'alice-password')).body).toMatchObject({ success: true })
    const profile = (await browser.get('profile')).body
    expect(profile).toMatchObject({ data: { username: 'alice', role: 1, reject_password: true } })
    const again = server.browser()
    await again.signIn('ALICE', 'alice-password')
    expect((await again.get('profile')).body).toMatchObject({
      data: { id: (profile as { data: { id: number } }).data.id },
    })
  })

  it('gives the roles of the groups, and takes them when the groups are gone', async () => {
    const administrators = [{ group: 'admins', administrator: true }]
    const { server, entries } = await startFixture({ form: { groups: administrators } })
    entries[1] = personCalled('alice', 'admins')
    await server.browser().signIn('alice', 'alice-password')
    expect(await rolesOf(server, 'alice')).toMatchObject({ role: 0 })
    entries[1] = personCalled('alice')
    await server.browser().signIn('alice', 'alice-password')
    expect(await rolesOf(server, 'alice')).toMatchObject({ role: 1 })
  })

  it('tells the directory neither the name nor the password of somebody who has one here', async () => {
    const { server, ldap } = await startFixture()
    expect((await server.browser().signIn('admin', password)).body).toMatchObject({ success: true })
    expect(namesIn(ldap)).toEqual([])
    expect((await server.browser().signIn('admin', 'admin-password')).body).toEqual(unauthorized)
    expect(ldap.binds.map(({ password }) => password)).not.toContain('admin-password')
    expect(JSON.stringify(ldap.searches)).not.toContain('uid=admin')
    expect(namesIn(ldap)).not.toContain(`uid=admin,ou=people,${base}`)
  })

  it('does not take over a name that somebody has here, and says what to do', async () => {
    const { server } = await startFixture()
    const browser = server.browser()
    const reply = await browser.signIn('ADMIN', 'admin-password')
    expect(reply.body).toEqual({ error: expect.stringContaining('has your name already') })
    expect(browser.cookies.has('nz-jwt')).toBe(false)
  })

  it('is refused in the same words for a wrong password, an unknown name and a name of this server', async () => {
    const { server } = await startFixture()
    for (const [at, name] of ['alice', 'nobody', 'member'].entries()) {
      expect((await server.browser(`10.0.0.${at}`).signIn(name, 'wrong')).body).toEqual(unauthorized)
    }
  })

  it.each([532, 773])(
    'that must be changed first (data %i of Active Directory) says so, and blocks nobody',
    async (data) => {
      const text = `80090308: LdapErr: DSID-0C09044E, comment: AcceptSecurityContext error, data ${data}, v4563`
      let isExpired = true
      let binds = 0
      const { server, admin } = await startFixture({
        intercept(operation, socket, id) {
          // The service account comes first.
          if (operation !== 'bind' || !isExpired || ++binds % 2 === 1) return false
          socket.write(ldapResult(id, 0x61, 49, text))
          return true
        },
      })
      const browser = server.browser('10.0.0.9')
      expect((await browser.signIn('alice', 'alice-password')).body).toEqual({
        error: expect.stringContaining('change it where your account is'),
      })
      const lines = JSON.stringify((await admin.get('wheelhouse/audit?limit=10')).body)
      expect(lines).toContain('"outcome":"expired"')
      isExpired = false
      expect((await browser.signIn('alice', 'alice-password')).body).toMatchObject({ success: true })
    },
  )

  it.each([
    [49, 'no such name: cn=data 773,dc=example,dc=org'],
    [32, '80090308: LdapErr: DSID-0C09044E, comment: AcceptSecurityContext error, data 773, v4563'],
  ])('counts as wrong where a directory refuses with %i and other words: %s', async (code, text) => {
    let binds = 0
    const { server, admin } = await startFixture({
      intercept(operation, socket, id) {
        if (operation !== 'bind' || ++binds % 2 === 1) return false
        socket.write(ldapResult(id, 0x61, code, text))
        return true
      },
    })
    await server.browser('10.0.0.9').signIn('alice', 'guess')
    expect(JSON.stringify((await admin.get('wheelhouse/audit?limit=10')).body)).not.toContain('"outcome":"expired"')
  })

  it('blocks an address after a wrong password, and does not ask the directory any more', async () => {
    const { server, ldap } = await startFixture()
    const browser = server.browser('10.0.0.9')
    await browser.signIn('alice', 'wrong')
    const asked = ldap.binds.length
    expect((await browser.signIn('alice', 'alice-password')).status).toBe(403)
    expect(ldap.binds).toHaveLength(asked)
  })

  it('checks the guesses of one address one after the other', async () => {
    const { server, ldap } = await startFixture()
    const guesses = Array.from({ length: 10 }, () => server.browser('10.0.0.9').signIn('alice', 'wrong'))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(ldap.binds.filter(({ password }) => password === 'wrong')).toHaveLength(1)
  })

  it('does not block anybody while the directory cannot be used, and tells the operator why', async () => {
    const { server } = await startFixture({
      intercept(_, socket, id) {
        socket.write(ldapResult(id, 0x61, 51))
        return true
      },
    })
    for (const _ of [1, 2])
      expect((await server.browser('10.0.0.9').signIn('alice', 'alice-password')).body).toEqual(unauthorized)
    expect(server.logged.join('\n')).toContain('The directory "Directory" could not be used: it answers "busy" (51)')
    expect((await server.browser('10.0.0.9').signIn('admin', password)).body).toMatchObject({ success: true })
  })

  it('counts a wrong password at one directory while another cannot be used', async () => {
    const { server, admin } = await startFixture()
    const down = formFor('ldap://127.0.0.1:1', { name: 'Down' })
    expect((await admin.call('POST', 'wheelhouse/sign-in-providers', { body: down })).body).toMatchObject({
      success: true,
    })
    const browser = server.browser('10.0.0.9')
    expect((await browser.signIn('alice', 'wrong')).body).toEqual(unauthorized)
    expect((await browser.signIn('alice', 'alice-password')).status).toBe(403)
  })

  it('counts a wrong password of this server while the directory of the person cannot be used', async () => {
    let isDown = false
    const { server } = await startFixture({
      intercept(_, socket, id) {
        if (isDown) socket.write(ldapResult(id, 0x61, 51))
        return isDown
      },
    })
    await server.browser().signIn('alice', 'alice-password')
    const [alice] = server.app.auth.users.find({ username: 'alice' })
    server.app.auth.users.update(alice?.id ?? 0, { reject_password: false })
    isDown = true
    const browser = server.browser('10.0.0.9')
    expect((await browser.signIn('alice', 'wrong')).body).toEqual(unauthorized)
    expect((await browser.signIn('alice', 'wrong')).status).toBe(403)
  })

  it('takes the same steps for a name of this server, one of the directory and one that nobody has', async () => {
    const { server, ldap } = await startFixture()
    await server.browser().signIn('alice', 'alice-password')
    server.app.auth.bindings.bind(1, 'Directory', `${base}#id-of-admin`)
    /** What the directory is asked, without the names in it. */
    async function stepsFor(username: string, wrong: string, address: string) {
      const [binds, searches] = [ldap.binds.length, ldap.searches.length]
      expect((await server.browser(address).signIn(username, wrong)).body).toEqual(unauthorized)
      const kinds = ldap.binds.slice(binds).map(({ dn }) => (dn === service.dn ? 'service' : 'somebody'))
      return [...kinds, ...ldap.searches.slice(searches).map(({ filter }) => filter.replace(/uid=\w+/, 'uid=…'))]
    }
    const names = ['nobody', 'alice', 'member', 'admin']
    const steps = []
    for (const [at, name] of names.entries()) steps.push(await stepsFor(name, 'wrong', `10.0.1.${at}`))
    expect(steps[0]).toHaveLength(3)
    for (const other of steps) expect(other).toEqual(steps[0])
    // What no directory is asked for, it is asked for nobody.
    for (const [at, name] of names.entries()) {
      expect(await stepsFor(name, 'with\0NUL', `10.0.2.${at}`), name).toEqual([])
    }
  })

  it('answers a burst of guesses alike, whether the name is of this server or of nobody', async () => {
    for (const [at, name] of ['member', 'nobody', 'alice'].entries()) {
      let isHeld = true
      const waiting: (() => void)[] = []
      const { server } = await startFixture({
        intercept(operation, socket, id) {
          if (operation !== 'search' || !isHeld) return false
          waiting.push(() => socket.write(ldapResult(id, 0x65, 0)))
          return true
        },
      })
      const answered: number[] = []
      const guesses = [1, 2, 3].map((_) =>
        server
          .browser(`10.0.3.${at}`)
          .signIn(name, 'wrong')
          .then(({ status }) => answered.push(status)),
      )
      await vi.waitFor(() => expect(waiting).toHaveLength(1))
      // The password of a known account must not be tried meanwhile.
      if (name === 'member') expect(server.app.auth.waf.rows()).toHaveLength(1)
      expect(answered, name).toEqual([])
      isHeld = false
      waiting[0]?.()
      await Promise.all(guesses)
      expect(answered.toSorted(), name).toEqual([200, 403, 403])
    }
  })

  it('counts no failure of a password here that is the one of the directory', async () => {
    const { server } = await startFixture()
    server.app.auth.bindings.bind(1, 'Directory', `${base}#id-of-admin`)
    const browser = server.browser('10.0.0.9')
    await browser.signIn('admin', 'wrong')
    server.clock.now += 60_000
    const other = server.browser('10.0.0.9')
    const { code } = await setUpTotp(server, await signedIn(server, 'admin', '10.0.0.8'))
    const state = await beginSignIn(other, 'admin', 'admin-password')
    expect(server.app.auth.waf.rows()).toMatchObject([{ count: 1 }])
    server.clock.now += 60_000
    expect((await completeSignIn(other, { state, method: 'totp', code: code() })).body).toMatchObject({ success: true })
    expect(server.app.auth.waf.rows()).toEqual([])
  })

  it('still asks for the second factor', async () => {
    const { server } = await startFixture()
    const browser = server.browser()
    await browser.signIn('alice', 'alice-password')
    const { code } = await setUpTotp(server, browser)
    const other = server.browser()
    const state = await beginSignIn(other, 'alice', 'alice-password')
    expect(other.cookies.has('nz-jwt')).toBe(false)
    const done = await completeSignIn(other, { state, method: 'totp', code: code() })
    expect(done.body).toMatchObject({ success: true })
  })

  it('is refused to a disabled account', async () => {
    const { server, admin } = await startFixture()
    await server.browser().signIn('alice', 'alice-password')
    const user = await rolesOf(server, 'alice')
    await admin.call('POST', `wheelhouse/users/${user?.id}/disable`)
    const reply = await server.browser().signIn('alice', 'alice-password')
    expect(reply.body).toEqual({ error: expect.stringContaining('disabled') })
  })
})

describe('the provider of a directory', () => {
  it('is tested with its stored password, which is never sent back', async () => {
    const { admin, ldap, id } = await startFixture()
    const { secret: _, ...provider } = formFor(ldap.url)
    const reply = await admin.call('POST', 'wheelhouse/sign-in-providers/test', { body: { id, provider } })
    expect(reply.body).toMatchObject({ data: { answers: expect.arrayContaining([{ name: 'people', value: '2' }]) } })
    expect((await admin.get('wheelhouse/sign-in-providers')).text).not.toContain('service-password')
  })

  it('does not send its stored password to another address', async () => {
    const { admin, id } = await startFixture()
    const { secret: _, ...provider } = formFor('ldaps://elsewhere.example.org')
    const reply = await admin.call('POST', 'wheelhouse/sign-in-providers/test', { body: { id, provider } })
    expect(reply.body).toEqual({ error: expect.stringContaining('another address') })
  })

  it('says what keeps people from signing in', async () => {
    const { admin, ldap, id } = await startFixture()
    const provider = formFor(ldap.url, { secret: 'wrong' })
    const reply = await admin.call('POST', 'wheelhouse/sign-in-providers/test', { body: { id, provider } })
    expect(reply.body).toMatchObject({ data: { failure: 'it does not accept the service account' } })
  })
})
