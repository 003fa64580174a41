import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { signInProviderForm } from '../../../src/schemas/account/signInProvider.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button, toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { startLdapServer } from '../../support/fakes/ldapServer.ts'
import { catchErrors } from '../../support/journeys/consoleErrors.ts'
import { signedIn } from '../../support/server/testServer.ts'

const base = 'dc=example,dc=org'

const person = (uid: string) => ({
  dn: `uid=${uid},${base}`,
  attributes: { uid, entryUUID: uid, objectClass: 'person' },
})

/** The page of sign-in providers, with a directory of three people. */
async function open({ isStored = true, teams = [] as string[] } = {}) {
  const reader = { dn: `cn=reader,${base}`, password: 'service-password', attributes: { cn: 'reader' } }
  const ldap = await startLdapServer({ entries: [reader, person('ada'), person('grace'), person('alan')] })
  const form = signInProviderForm.parse({
    kind: 'ldap',
    name: 'Company',
    secret: 'service-password',
    settings: { url: ldap.url, base, bind_dn: reader.dn, user_filter: '(uid={username})' },
  })
  const rendered = await renderConsole({
    path: '/dashboard/settings?section=sign_in',
    prepare({ auth }) {
      if (isStored) auth.signInProviders.create(form)
      for (const name of teams) auth.teams.create({ name, users: [], servers: [] })
    },
  })
  const admin = await signedIn(rendered.server)
  const stored = async () => {
    const reply = (await admin.get('wheelhouse/sign-in-providers')).body as {
      data: { providers: { groups: object[] }[] }
    }
    return reply.data.providers
  }
  await screen.findByRole('heading', { name: 'Sign-in providers' })
  return { ...rendered, ldap, admin, stored }
}

const dialogCalled = async (name: string) => within(await screen.findByRole('dialog', { name }))
const rowsIn = (dialog: Awaited<ReturnType<typeof dialogCalled>>) =>
  dialog.queryAllByRole('row').map((row) =>
    within(row)
      .queryAllByRole('cell')
      .map(({ textContent }) => textContent),
  )

it('The buttons that save the settings stand below everything else of the page', async () => {
  await open()
  const review = button('Review changes')
  for (const heading of screen.getAllByRole('heading', { level: 2 })) {
    expect(heading.compareDocumentPosition(review)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  }
  screen.getByRole('heading', { name: 'Sign-in providers', level: 2 })
})

it('What is typed of a provider, its password too, stays when everything is fetched again', async () => {
  const { user, fetchAgain } = await open()
  await user.click(button('Add LDAP directory'))
  const form = await dialogCalled('Add LDAP directory')
  await user.type(await form.findByLabelText(/^Password of the service account/), 'service-password')
  await act(fetchAgain)
  expect(await form.findByLabelText(/^Password of the service account/)).toHaveProperty('value', 'service-password')
  expect(screen.getAllByRole('dialog')).toHaveLength(1)
})

describe('The test of a sign-in provider', () => {
  it('asks it as it is typed, before anything is saved', async () => {
    const { user, ldap, stored } = await open({ isStored: false })
    await user.click(button('Add LDAP directory'))
    const form = await dialogCalled('Add LDAP directory')
    await enterText(user, await form.findByRole('textbox', { name: 'Name' }), 'Company')
    await enterText(user, form.getByRole('textbox', { name: 'Address' }), ldap.url)
    await enterText(user, form.getByRole('textbox', { name: /^Service account/ }), `cn=reader,${base}`)
    await enterText(user, form.getByLabelText(/^Password of the service account/), 'wrong')
    await user.click(form.getByRole('button', { name: 'Test' }))
    expect((await form.findAllByText('Required')).length).toBeGreaterThan(0)
    await enterText(user, form.getByRole('textbox', { name: 'Search people below (DN)' }), base)
    await user.click(form.getByRole('button', { name: 'Test' }))
    const failed = await dialogCalled('Test: Company')
    await failed.findByText('the directory does not accept the service account: check its DN and password')
    await user.click(failed.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
    const secret = form.getByLabelText(/^Password of the service account/)
    await user.clear(secret)
    await enterText(user, secret, 'service-password')
    await user.click(form.getByRole('button', { name: 'Test' }))
    const done = await dialogCalled('Test: Company')
    await done.findByText('The provider answered.')
    expect(await stored()).toEqual([])
  })

  it('uses the stored password where none is typed, but not for another address', async () => {
    catchErrors()
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Edit: Company' }))
    const form = await dialogCalled('Company')
    await form.findByRole('textbox', { name: /^Filter for people/ })
    await user.click(form.getByRole('button', { name: 'Test' }))
    const done = await dialogCalled('Test: Company')
    expect((await done.findByRole('row', { name: /people/ })).textContent).toBe('people3')
    await user.click(done.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
    const address = form.getByRole('textbox', { name: /^Address/ })
    await user.clear(address)
    await enterText(user, address, 'ldaps://elsewhere.example.org')
    await user.click(form.getByRole('button', { name: 'Test' }))
    const refused = await dialogCalled('Test: Company')
    await refused.findByText(/the stored one is for another address/)
  })

  it('says of a stored one what it answers', async () => {
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Test: Company' }))
    const dialog = await dialogCalled('Test: Company')
    await dialog.findByText('The provider answered.')
    expect(rowsIn(dialog)).toContainEqual(['people', '3'])
  })
})

describe('The rules of groups', () => {
  it('give a role and a team to who is in a group, and take each away by itself', async () => {
    const { user, stored } = await open({ teams: ['On call'] })
    await user.click(await screen.findByRole('button', { name: 'Group rules: Company' }))
    const dialog = await dialogCalled('Group rules: Company')
    const group = await dialog.findByRole('textbox', { name: 'Group' })
    await user.click(dialog.getByRole('radio', { name: /^Operator/ }))
    await user.click(dialog.getByRole('radio', { name: 'All servers' }))
    // A rule is about a group.
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Give role' }).disabled).toBe(true)
    await enterText(user, group, 'ops')
    await user.click(dialog.getByRole('button', { name: 'Give role' }))
    await waitFor(() => expect(rowsIn(dialog)).toContainEqual(['ops', 'Operator', 'All servers', 'Remove']))
    expect(toasts()).toContain('Success')
    await user.selectOptions(await dialog.findByRole('combobox', { name: /^Team/ }), 'On call')
    await user.click(dialog.getByRole('button', { name: 'Add' }))
    await waitFor(() => expect(rowsIn(dialog)).toContainEqual(['ops', 'Team: On call', '', 'Remove']))
    expect(await stored()).toMatchObject([
      { groups: [{ group: 'ops', roles: [{ role: 'operator', scope: 'all' }], team: 1, administrator: false }] },
    ])
    await user.click(dialog.getByRole('button', { name: 'Remove: ops, Operator' }))
    await waitFor(() => expect(rowsIn(dialog)).toHaveLength(2))
    expect(await stored()).toMatchObject([{ groups: [{ group: 'ops', roles: [], team: 1 }] }])
    await user.click(dialog.getByRole('button', { name: 'Remove: ops, On call' }))
    await waitFor(() => expect(dialog.queryByRole('table')).toBeNull())
    expect(await stored()).toMatchObject([{ groups: [] }])
  })

  it('keep what somebody else has changed meanwhile, and show it', async () => {
    const { user, admin, ldap, stored } = await open()
    await user.click(await screen.findByRole('button', { name: 'Group rules: Company' }))
    const dialog = await dialogCalled('Group rules: Company')
    await enterText(user, await dialog.findByRole('textbox', { name: 'Group' }), 'root')
    const settings = { url: ldap.url, base, bind_dn: `cn=reader,${base}` }
    const groups = [{ group: 'all', roles: [{ role: 'viewer', scope: 'all' }] }]
    const body = { kind: 'ldap', name: 'Company', settings, groups }
    expect((await admin.call('PATCH', 'wheelhouse/sign-in-providers/1', { body })).status).toBe(200)
    await user.click(dialog.getByRole('radio', { name: /^Administrator/ }))
    await user.click(dialog.getByRole('radio', { name: 'All servers' }))
    await user.click(dialog.getByRole('button', { name: 'Give role' }))
    await waitFor(() => expect(rowsIn(dialog)).toContainEqual(['root', 'Administrator', 'All servers', 'Remove']))
    expect(rowsIn(dialog)).toContainEqual(['all', 'Viewer', 'All servers', 'Remove'])
    expect(await stored()).toMatchObject([{ groups: [{ group: 'all' }, { group: 'root', administrator: true }] }])
  })
})

describe('Providers as the only way in', () => {
  it('are refused in words while whoever asks could not come in by one', async () => {
    catchErrors()
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Refuse passwords' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Refuse all passwords?' }))
    await user.click(question.getByRole('button', { name: 'Refuse passwords' }))
    await waitFor(() => expect(toasts().join()).toContain('Bind an account at a provider in your profile first'))
  })
})
