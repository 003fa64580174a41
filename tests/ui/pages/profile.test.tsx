import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import * as leave from '../../../src/session/navigation.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button, toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { startLdapServer } from '../../support/fakes/ldapServer.ts'
import { catchErrors } from '../../support/journeys/consoleErrors.ts'
import { password, signedIn } from '../../support/server/testServer.ts'

type Reply = Record<string, unknown>

/** The page against a server whose profile and settings say more than ours do in a test. */
async function open({ profile = {}, config = {}, wheelhouse = {}, path = '/dashboard/profile', role = 'admin' } = {}) {
  const own: { profile: Reply; agents?: Reply[] } = { profile }
  const rendered = await renderConsole({
    path,
    role: role as 'admin',
    prepare: (app) => {
      app.addHook('preSerialization', async ({ url }, _reply, payload) => {
        const { data } = payload as { data?: { config?: Reply; wheelhouse?: Reply } }
        if (url === '/api/v1/profile' && data) Object.assign(data, own.profile)
        if (url === '/api/v1/wheelhouse/agents/own' && own.agents)
          Object.assign(payload as object, { data: own.agents })
        if (url === '/api/v1/setting' && data) {
          Object.assign(data.config ?? {}, config)
          Object.assign(data.wheelhouse ?? {}, wheelhouse)
        }
        return payload
      })
    },
  })
  await screen.findByRole('heading', { name: 'Account' })
  return { ...rendered, own }
}

const providers = { oauth2_providers: ['GitHub', 'My OIDC'] }

describe('The profile of the user', () => {
  it('shows name, role, address, and numbers of servers and groups', async () => {
    await open({ profile: { oauth2_bind: { github: '4711' } }, config: providers })
    const account = screen.getByRole('region', { name: 'Account' })
    within(account).getByText('127.0.0.1')
    await waitFor(() => {
      const facts = [...account.querySelectorAll('div:has(> dt)')].map((fact) => fact.textContent)
      expect(facts).toEqual(
        expect.arrayContaining(['Usernameadmin Admin', 'Servers0', 'Server groups0', 'OAuth2 bindings1']),
      )
    })
    expect(document.title).toContain('Profile')
  })

  it('draws the avatar in the browser, without another host', async () => {
    const { network } = await open()
    const picture = await waitFor(() => {
      const found = document.querySelector<HTMLImageElement>('main img')
      expect(found).not.toBeNull()
      return found as HTMLImageElement
    })
    expect(picture.src).toMatch(/^data:image\/svg\+xml,/)
    expect(network.sent.every(({ path }) => !path.includes('dicebear'))).toBe(true)
  })

  it('renews the agent secret after it has named the servers whose agents lose their connection', async () => {
    const { user, own } = await open()
    await user.click(button('Show'))
    const before = (await screen.findByText(/^[\w-]{32}$/)).textContent
    const openDialog = async () => {
      await user.click(button('Renew the agent secret'))
      return within(await screen.findByRole('dialog', { name: 'Renew the agent secret' }))
    }
    const first = await openDialog()
    await first.findByText('No agent uses the present secret.')
    await user.click(first.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByText(/^[\w-]{32}$/).textContent).toBe(before)

    own.agents = [{ server_id: 1, name: 'web-1', online: true }]
    const second = await openDialog()
    await second.findByText(/lose their connection/)
    expect(second.getByRole('listitem').textContent).toBe('web-1')
    await user.click(second.getByRole('button', { name: 'Renew the agent secret' }))
    await waitFor(() => expect(screen.getByText(/^[\w-]{32}$/).textContent).not.toBe(before))
    expect(toasts()).toContain('The agent secret was renewed')
  })

  it('asks again about the agent secret after its question was left, and the late answer leaves that question open', async () => {
    const answer = Promise.withResolvers<void>()
    const { user } = await renderConsole({
      path: '/dashboard/profile',
      prepare: (app) =>
        void app.addHook('preHandler', async ({ method, url }) => {
          if (method === 'POST' && url.endsWith('/agent-secret')) await answer.promise
        }),
    })
    const openDialog = async () => {
      await user.click(await screen.findByRole('button', { name: 'Renew the agent secret' }))
      const dialog = within(await screen.findByRole('dialog', { name: 'Renew the agent secret' }))
      await dialog.findByText('No agent uses the present secret.')
      return dialog
    }
    const first = await openDialog()
    await user.click(first.getByRole('button', { name: 'Renew the agent secret' }))
    const cancel = first.getByRole('button', { name: 'Cancel' })
    expect(cancel).toHaveProperty('disabled', true)
    await waitFor(() => expect(cancel).toHaveProperty('disabled', false))
    await user.click(cancel)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const second = await openDialog()
    answer.resolve()
    await waitFor(() => expect(toasts()).toContain('The agent secret was renewed'))
    expect(second.getByRole('button', { name: 'Cancel' })).toHaveProperty('disabled', false)
  })

  it('shows the agent secret only on request', async () => {
    const { user } = await open({ profile: { agent_secret: 'quite-secret' } })
    expect(screen.queryByText('quite-secret')).toBeNull()
    await user.click(button('Show'))
    screen.getByText('quite-secret')
    await user.click(button('Hide'))
    expect(screen.queryByText('quite-secret')).toBeNull()
  })
})

describe('Updating the profile', () => {
  it('sends name and both passwords, and shows the sign-in page with a message', async () => {
    const left = vi.spyOn(leave, 'leaveWithoutAsking').mockImplementation(() => {})
    const { user, network, server } = await open()
    await user.click(button('Update profile'))
    const dialog = await screen.findByRole('dialog', { name: 'Update profile' })
    within(dialog).getByText(/Saving ends all your sessions, including this one/)
    const name = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'New username' })
    expect(name.value).toBe('admin')
    await user.clear(name)
    await user.type(name, 'root')
    await enterText(user, within(dialog).getByLabelText('Original password'), password)
    await enterText(user, within(dialog).getByLabelText('New password'), 'another battery')
    await user.click(within(dialog).getByRole('button', { name: 'Save and sign in again' }))
    await waitFor(() => expect(left).toHaveBeenCalledWith('/dashboard/login?changed=1'))
    expect(network.sent.find(({ method, path }) => method === 'POST' && path === 'profile')?.body).toMatchObject({
      original_password: password,
      new_username: 'root',
      new_password: 'another battery',
    })
    expect((await server.browser().signIn('root', 'another battery')).body).toMatchObject({ success: true })
    expect(document.cookie).not.toContain('nz-jwt')
    left.mockRestore()
  })

  it('never sends an empty field, nor a name of one character: it could not sign in again', async () => {
    const { user, network } = await open()
    await user.click(button('Update profile'))
    const dialog = await screen.findByRole('dialog', { name: 'Update profile' })
    const name = within(dialog).getByRole('textbox', { name: 'New username' })
    await user.clear(name)
    await user.type(name, 'x')
    await enterText(user, within(dialog).getByLabelText('Original password'), 'four')
    await user.click(within(dialog).getByRole('button', { name: 'Save and sign in again' }))
    expect((await within(dialog).findAllByRole('alert')).map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['Must be at least 5 characters', 'Must be at least 2 characters', 'Required']),
    )
    expect(network.sent.some(({ method, path }) => method === 'POST' && path === 'profile')).toBe(false)
  })

  it('shows the server’s message and keeps the typed text if the password is wrong', async () => {
    catchErrors()
    const { user } = await open()
    await user.click(button('Update profile'))
    const dialog = await screen.findByRole('dialog', { name: 'Update profile' })
    await enterText(user, within(dialog).getByLabelText('Original password'), 'guessed wrong')
    await enterText(user, within(dialog).getByLabelText('New password'), 'another battery')
    await user.click(within(dialog).getByRole('button', { name: 'Save and sign in again' }))
    await waitFor(() => expect(toasts().join()).toContain('incorrect password'))
    // The next one comes too soon.
    await user.click(within(dialog).getByRole('button', { name: 'Save and sign in again' }))
    await waitFor(() =>
      expect(toasts().join()).toMatch(/wrong passwords or codes .* Try again after \w+ \d+, \d+, \d+:/),
    )
    expect(within(dialog).getByLabelText<HTMLInputElement>('New password').value).toBe('another battery')
  })
})

describe('OAuth2 bindings', () => {
  it('cannot be removed if one is the only sign-in method, and say why', async () => {
    await open({ profile: { oauth2_bind: { github: '4711' }, reject_password: true }, config: providers })
    expect((await screen.findByRole('button', { name: 'Unbind GitHub' })).hasAttribute('disabled')).toBe(true)
    screen.getByText(/This is your only way to sign in/)
    screen.getByRole('button', { name: 'Bind My OIDC' })
  })

  it('report the newly bound provider after the return, and clean the URL', async () => {
    sessionStorage.setItem('wheelhouse.bindings', JSON.stringify({ github: '4711' }))
    await open({
      profile: { oauth2_bind: { github: '4711', 'my oidc': 'u-1' } },
      config: providers,
      path: '/dashboard/profile?oauth2=true',
    })
    await waitFor(() => expect(toasts()).toContain('My OIDC is now bound. You can sign in with it.'))
    await waitFor(() => expect(window.location.search).toBe(''))
  })

  it('report why a binding failed', async () => {
    await open({ config: providers, path: '/dashboard/profile?oauth2_error=denied' })
    await waitFor(() => expect(toasts().join()).toContain('The provider refused, or you cancelled there.'))
    await waitFor(() => expect(window.location.search).toBe(''))
  })

  it('show the server’s message if the first step fails', async () => {
    catchErrors()
    const { user } = await open({ config: providers })
    await user.click(await screen.findByRole('button', { name: 'Bind GitHub' }))
    await waitFor(() => expect(toasts().join()).toContain('provider not found'))
  })
})

describe('An account in a directory', () => {
  it('is bound by the name and the password there, which stay in the form when the directory refuses them', async () => {
    catchErrors()
    const ldap = await startLdapServer({
      entries: [
        { dn: 'cn=reader,dc=x', password: 'service-password', attributes: { cn: 'reader' } },
        { dn: 'uid=smith,dc=x', password: 'smith-password', attributes: { uid: 'smith', entryUUID: '4711' } },
      ],
    })
    const { user, server } = await open({
      profile: { directories: ['Company'] },
      role: 'member',
    })
    const admin = await signedIn(server)
    const settings = { url: ldap.url, base: 'dc=x', bind_dn: 'cn=reader,dc=x', user_filter: '(uid={username})' }
    const body = { kind: 'ldap', name: 'Company', secret: 'service-password', settings }
    await admin.call('POST', 'wheelhouse/sign-in-providers', { body })
    const bindings = within(screen.getByRole('region', { name: 'OAuth2 bindings' }))
    bindings.getByText('Not bound')
    await user.click(bindings.getByRole('button', { name: 'Bind Company' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Bind Company' }))
    const name = await dialog.findByRole<HTMLInputElement>('textbox', { name: 'Username' })
    await enterText(user, name, 'smith')
    await enterText(user, dialog.getByLabelText('Password'), 'wrong')
    await user.click(dialog.getByRole('button', { name: 'Bind' }))
    await waitFor(() => expect(toasts().join()).toContain('does not accept this user name and password'))
    expect(name.value).toBe('smith')
    server.clock.now += 60_000
    await user.clear(dialog.getByLabelText('Password'))
    await enterText(user, dialog.getByLabelText('Password'), 'smith-password')
    await user.click(dialog.getByRole('button', { name: 'Bind' }))
    await bindings.findByText('dc=x#4711')
    expect(toasts()).toContain('Company is now bound. You can sign in with it.')
    await user.click(bindings.getByRole('button', { name: 'Unbind Company' }))
    await bindings.findByText('Not bound')
  })
})
