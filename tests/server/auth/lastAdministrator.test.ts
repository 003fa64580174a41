import { describe, expect, it } from 'vitest'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { testServer } from '../../support/server/testServer.ts'

const [adminId, memberId] = [1, 2]
const lockedOut = { error: expect.stringContaining('no administrator could come in any more') }
const done = expect.objectContaining({ success: true })

const directory = {
  kind: 'ldap',
  name: 'Company',
  secret: 'x',
  settings: { url: 'ldaps://ldap.example.org', base: 'dc=example,dc=org', bind_dn: 'cn=reader,dc=example,dc=org' },
}

/**
 * A server with two administrators and a provider, at which the one called `admin` has an account; the other asks, in a
 * session from before.
 */
async function startFixture() {
  const server = await testServer()
  const { auth } = server.app
  const admin = await enter(server, adminId)
  const post = (name: string) => admin.call('POST', 'wheelhouse/sign-in-providers', { body: { ...directory, name } })
  await post('Company')
  auth.bindings.bind(adminId, 'Company', 'dc=example,dc=org#admin')
  auth.users.update(memberId, { role: 0 })
  const other = await enter(server, memberId)
  const only = (on = true) => admin.call('PATCH', 'wheelhouse/only-providers', { body: { only: on } })
  const change = (changes: object) =>
    other.call('PATCH', 'wheelhouse/sign-in-providers/1', { body: { ...directory, secret: '', ...changes } })
  return { server, auth, admin, other, only, post, change }
}

type Fixture = Awaited<ReturnType<typeof startFixture>>

/** What would take away the account by which the administrator comes in. */
const takeAway: Readonly<Record<string, (fixture: Fixture) => Promise<{ body: unknown }>>> = {
  'disabling the account': ({ other }) => other.call('POST', `wheelhouse/users/${adminId}/disable`),
  'making a member of it': ({ other }) =>
    other.call('PATCH', `wheelhouse/users/${adminId}/roles`, { body: { roles: [] } }),
  'deleting it': ({ other }) => other.call('POST', 'batch-delete/user', { body: [adminId] }),
  'deleting it with its records': ({ other }) =>
    other.call('POST', 'wheelhouse/users/delete', { body: { ids: [adminId], records: 'delete' } }),
  'disabling the provider': ({ change }) => change({ enabled: false }),
  'another directory in its place': ({ change }) =>
    change({ settings: { ...directory.settings, base: 'dc=example,dc=com' } }),
  'deleting the provider': ({ other }) => other.call('DELETE', 'wheelhouse/sign-in-providers/1'),
}

describe('the last administrator who comes in by a provider, where only providers let in', () => {
  it.each(Object.entries(takeAway))('is kept from %s', async (_, act) => {
    const fixture = await startFixture()
    await fixture.only()
    const before = fixture.auth.users.all()
    expect((await act(fixture)).body).toEqual(lockedOut)
    expect(fixture.auth.users.all()).toEqual(before)
    expect(fixture.auth.signInProviders.get(1)).toMatchObject({ enabled: true })
    expect(fixture.auth.bindings.canSignIn(adminId)).toBe(true)
  })

  it.each(Object.entries(takeAway))(
    'is no longer the last, and gone by %s, once another one is bound',
    async (_, act) => {
      const fixture = await startFixture()
      await fixture.post('Second')
      fixture.auth.bindings.bind(memberId, 'Second', 'dc=example,dc=org#other')
      await fixture.only()
      expect((await act(fixture)).body).toEqual(done)
    },
  )

  it.each(Object.entries(takeAway))('is not kept from %s where passwords let in as well', async (_, act) => {
    expect((await act(await startFixture())).body).toEqual(done)
  })

  it('is not another one who is disabled, bound where nobody comes in any more, or let in again for once', async () => {
    const { server, auth, admin, only, post } = await startFixture()
    await post('Second')
    auth.bindings.bind(memberId, 'Second', 'dc=example,dc=org#other')
    await only()
    await admin.call('PATCH', 'wheelhouse/sign-in-providers/2', {
      body: { ...directory, name: 'Second', enabled: false },
    })
    // What `wheelhouse reset-password` notes.
    auth.users.update(memberId, { readmitted: true })
    const again = await enter(server, memberId)
    expect((await again.call('POST', `wheelhouse/users/${adminId}/disable`)).body).toEqual(lockedOut)
    // With nobody bound, those let in again are what is left: they stay, and clean up.
    auth.bindings.unbind(adminId, 'Company')
    expect((await admin.call('POST', `wheelhouse/users/${memberId}/disable`)).body).toEqual(lockedOut)
    expect((await again.call('DELETE', 'wheelhouse/sign-in-providers/1')).body).toEqual(done)
  })

  it('is needed before only providers let in', async () => {
    const { server, other, change } = await startFixture()
    const refused = { error: expect.stringContaining('bind an account at a provider in your profile first') }
    const only = { body: { only: true } }
    expect((await other.call('PATCH', 'wheelhouse/only-providers', only)).body).toEqual(refused)
    await change({ enabled: false })
    // It signs its people out.
    const admin = await enter(server, adminId)
    expect((await admin.call('PATCH', 'wheelhouse/only-providers', only)).body).toEqual(refused)
  })

  it('keeps the role when the groups of the provider take it, and nobody else could come in', async () => {
    const { server, auth, only } = await startFixture()
    await only()
    auth.users.update(adminId, { administrator_by: 1 })
    const subject = 'dc=example,dc=org#admin'
    const provider = auth.signInProviders.get(1)
    if (!provider) throw new Error('there is no provider')
    const signIn = () => server.app.signInFromOutside({ provider, subject, groups: [], address: '192.0.2.1' })
    await signIn()
    expect(auth.users.get(adminId)).toMatchObject({ role: 0 })
    auth.bindings.bind(memberId, 'Company', 'dc=example,dc=org#other')
    await signIn()
    expect(auth.users.get(adminId)).toMatchObject({ role: 1 })
  })
})

describe('the last administrator with a password', () => {
  it('stays where the others have turned theirs off and lose their provider', async () => {
    const { auth, other } = await startFixture()
    auth.users.update(adminId, { reject_password: true })
    auth.users.update(memberId, { role: 1 })
    const { call } = other
    expect((await call('POST', `wheelhouse/users/${adminId}/disable`)).status).toBe(200)
    auth.users.update(memberId, { role: 0 })
    auth.users.update(adminId, { disabled: false })
    auth.users.update(memberId, { reject_password: true })
    expect((await call('DELETE', 'wheelhouse/sign-in-providers/1')).body).toEqual({
      error: expect.stringContaining('let another one have a password'),
    })
  })

  it('keeps the last passkey, where they come in by nothing else', async () => {
    const { server, auth, other, change } = await startFixture()
    const passkey = { user_id: memberId, name: 'Key', public_key: '', counter: 0, transports: [], host: 'localhost' }
    for (const credential_id of ['a', 'b']) auth.secondFactor.passkeys.add({ ...passkey, credential_id })
    for (const id of [adminId, memberId]) auth.users.update(id, { reject_password: true })
    expect((await change({ enabled: false })).body).toEqual(done)
    const remove = (id: number) => other.call('DELETE', `wheelhouse/second-factor/passkeys/${id}`)
    expect((await remove(1)).body).toEqual(done)
    expect((await remove(2)).body).toEqual(lockedOut)
    const again = await enter(server, adminId)
    expect((await again.call('DELETE', `wheelhouse/second-factor/users/${memberId}`)).body).toEqual(lockedOut)
    expect(auth.secondFactor.passkeys.ofUser(memberId)).toHaveLength(1)
    auth.users.update(adminId, { reject_password: false })
    expect((await remove(2)).body).toEqual(done)
  })
})
