import '@testing-library/jest-dom/vitest'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { writeSite } from '../../../server/site/site.ts'
import { Login } from '../../../src/custom/login/Login.tsx'
import * as navigation from '../../../src/session/navigation.ts'
import { emptyBrowser, servePage, stubMatchMedia } from '../../support/console/pageServer.ts'
import { providersOf } from '../../support/server/auth/providersFile.ts'
import { password, testServer } from '../../support/server/testServer.ts'

const withAddresses = {
  client_id: 'console',
  client_secret: 's',
  endpoint: { auth_url: 'https://id.example/auth', token_url: 'https://id.example/token' },
  user_info_url: 'https://id.example/user',
  user_id_path: 'id',
}
const names = ['GitHub', 'Work GitLab', 'Hafen']

interface OpenOptions extends NonNullable<Parameters<typeof testServer>[0]> {
  search?: string
  names?: readonly string[]
  /** What the file says of each. */
  entry?: Record<string, unknown>
  /** Whether the site's settings hide the password form. */
  hidden?: boolean
}

/** The sign-in page at an address, in front of a server with providers. */
async function open({
  search = '',
  names: configured = names,
  entry = withAddresses,
  hidden = false,
  ...options
}: OpenOptions = {}) {
  const providers = providersOf(Object.fromEntries(configured.map((name) => [name, entry])))
  const server = await testServer({ providers, ...options })
  if (hidden) writeSite(server.store, { hide_password_form: true })
  const asked = servePage(server)
  window.history.replaceState(null, '', `/dashboard/login${search}`)
  const onSignedIn = vi.fn(async () => {})
  render(<Login onSignedIn={onSignedIn} />)
  return { server, asked, onSignedIn, user: userEvent.setup() }
}

const button = (name: string) => screen.getByRole('button', { name })
const withGitHub = () => screen.findByRole('button', { name: 'Continue with GitHub' })
const providerButtons = names.map((name) => `Continue with ${name}`)

async function tabThrough(user: UserEvent, stops: readonly string[]) {
  for (const name of stops) {
    await user.tab()
    expect(document.activeElement).toHaveAccessibleName(name)
  }
}
const failure = async () => (await screen.findByRole('alert')).textContent

let goToProvider: MockInstance<typeof navigation.goToProvider>

beforeEach(() => {
  stubMatchMedia()
  goToProvider = vi.spyOn(navigation, 'goToProvider').mockImplementation(() => {})
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  emptyBrowser()
  sessionStorage.clear()
})

describe('The provider buttons', () => {
  it('have an icon each, below the user name and password that password managers look for', async () => {
    await open()
    await withGitHub()
    const signs = names.map((name) => button(`Continue with ${name}`).querySelector('svg')?.dataset.sign)
    expect(signs).toEqual(['github', 'gitlab', 'key'])
    expect(screen.getByLabelText('Username')).toBeVisible()
    expect(screen.getByLabelText('Password')).toHaveAttribute('autocomplete', 'current-password')
    expect(screen.queryByRole('button', { name: 'Log in with password' })).toBeNull()
    expect(screen.getByRole('region', { name: 'OAuth2' })).toBeVisible()
  })

  it('leave the form open if there are none', async () => {
    const { asked } = await open({ names: [] })
    await waitFor(() => expect(asked).toContain('GET /api/v1/setting'))
    expect(screen.getByLabelText('Username')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Log in with password' })).toBeNull()
    expect(screen.queryByRole('region', { name: 'OAuth2' })).toBeNull()
  })

  it('say at a wrong password that passwords may be switched off for the account', async () => {
    const { user } = await open()
    await withGitHub()
    await user.type(screen.getByLabelText('Username'), 'admin')
    await user.type(screen.getByLabelText('Password'), 'wrong{Enter}')
    expect(await failure()).toBe(
      'Wrong username or password, or signing in by password is switched off for this account.',
    )
  })

  it('redirect to the provider and save the requested path', async () => {
    const { user } = await open({ search: '?next=%2Fdashboard%2Fnat' })
    await user.click(await withGitHub())
    await waitFor(() => expect(goToProvider).toHaveBeenCalledOnce())
    const address = new URL(goToProvider.mock.calls[0]?.[0] ?? '')
    expect(address.origin + address.pathname).toBe('https://id.example/auth')
    expect(address.searchParams.get('code_challenge_method')).toBe('S256')
    // A second click would invalidate the first sign-in.
    await user.click(await withGitHub())
    expect(goToProvider).toHaveBeenCalledOnce()
    cleanup()
    window.history.replaceState(null, '', '/dashboard/login?oauth2_error=denied')
    render(<Login onSignedIn={async () => {}} />)
    expect(window.location.search).toBe('?next=%2Fdashboard%2Fnat')
  })

  it('show the server’s message if a provider cannot be reached or was removed', async () => {
    const { user } = await open()
    await withGitHub()
    servePage(await testServer())
    await user.click(await withGitHub())
    expect(await failure()).toBe('provider not found')
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await user.click(await withGitHub())
    await waitFor(async () => expect(await failure()).toMatch(/^The server cannot be reached/))
    expect(goToProvider).not.toHaveBeenCalled()
  })

  it('say that the log knows why, if a provider does not say where it is', async () => {
    const { user } = await open({ entry: { issuer: 'http://127.0.0.1:1', client_id: 'console' } })
    await user.click(await withGitHub())
    expect(await failure()).toBe('The provider cannot be used at the moment. The server’s log says why.')
    expect(goToProvider).not.toHaveBeenCalled()
  })

  it('never follow a redirect that is not a web address', async () => {
    const { user } = await open()
    await withGitHub()
    vi.stubGlobal('fetch', async () => Response.json({ success: true, data: { redirect: 'javascript:alert(1)' } }))
    await user.click(await withGitHub())
    expect(await failure()).toMatch(/^The provider cannot be used/)
    expect(goToProvider).not.toHaveBeenCalled()
  })
})

describe('The password form that the settings of the site put behind a button', () => {
  const hidden = { hidden: true }

  it('opens by one click with the focus in it', async () => {
    const { user, onSignedIn } = await open(hidden)
    await user.click(await screen.findByRole('button', { name: 'Log in with password' }))
    expect(screen.getByLabelText('Username')).toHaveFocus()
    await user.keyboard('admin')
    await user.type(screen.getByLabelText('Password'), `${password}{Enter}`)
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
  })

  it('is hidden from the start on the next visit', async () => {
    await open(hidden)
    await screen.findByRole('button', { name: 'Log in with password' })
    cleanup()
    vi.stubGlobal('fetch', () => new Promise(() => {}))
    render(<Login onSignedIn={async () => {}} />)
    expect(button('Continue with GitHub')).toBeVisible()
    expect(screen.queryByLabelText('Username')).toBeNull()
  })

  it('is there if nobody can sign in anywhere else', async () => {
    const { asked } = await open({ ...hidden, names: [] })
    await waitFor(() => expect(asked).toContain('GET /api/v1/setting'))
    expect(screen.getByLabelText('Username')).toBeVisible()
  })

  it('is not hidden while it is in use', async () => {
    let letGo = () => {}
    await open({ names: [] })
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    cleanup()
    const reply = { success: true, data: { config: { oauth2_providers: names, hide_password_form: true } } }
    vi.stubGlobal('fetch', () => held.then(() => Response.json(reply)))
    render(<Login onSignedIn={async () => {}} />)
    await userEvent.type(screen.getByLabelText('Username'), 'ad')
    letGo()
    await withGitHub()
    expect(screen.getByLabelText('Username')).toHaveValue('ad')
  })

  it('is reached by keyboard alone, in reading order', async () => {
    const { user } = await open(hidden)
    await screen.findByRole('button', { name: 'Log in with password' })
    await tabThrough(user, [...providerButtons, 'Log in with password', 'Language', 'Theme'])
  })
})

describe('The return from a provider', () => {
  it('completes the sign-in, reads the profile, and cleans the URL', async () => {
    const { asked, user, onSignedIn } = await open({ names: [] })
    await user.type(screen.getByLabelText('Username'), 'admin')
    await user.type(screen.getByLabelText('Password'), `${password}{Enter}`)
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
    cleanup()
    asked.length = 0
    localStorage.removeItem('wheelhouse.session')
    sessionStorage.setItem('wheelhouse.next', '/dashboard/nat?q=x')
    window.history.replaceState(null, '', '/dashboard/login?oauth2=true')
    const again = vi.fn(async () => {})
    render(<Login onSignedIn={again} />)
    expect(screen.getByRole('status')).toHaveTextContent('Logging in…')
    await waitFor(() => expect(again).toHaveBeenCalledWith(expect.objectContaining({ fullName: 'admin' })))
    expect(asked).toEqual(['GET /api/v1/profile'])
    expect(window.location.search).toBe('?next=%2Fdashboard%2Fnat%3Fq%3Dx')
    expect(sessionStorage.getItem('wheelhouse.next')).toBeNull()
    expect(localStorage.getItem('wheelhouse.session')).not.toBeNull()
  })

  it('without a session says that the browser kept none, and shows the sign-in methods again', async () => {
    await open({ search: '?oauth2=true' })
    expect(await failure()).toMatch(/^This browser did not keep the session/)
    await withGitHub()
    expect(window.location.search).toBe('')
  })

  it.each([
    ['state', /^This sign-in took too long/],
    ['denied', /^The provider was not allowed/],
    ['no_code', /^The provider did not confirm/],
    ['rejected', /^The provider did not accept/],
    ['failed', /^The provider cannot be used/],
    ['unbound', /^This account is not bound to anybody here/],
    ['not_signed_in', /^Log in first/],
    ['%3Cb%3Eanything%3C%2Fb%3E', /^The provider cannot be used/],
  ])('reports the failure "%s" once', async (code, words) => {
    await open({ search: `?oauth2_error=${code}` })
    expect(await failure()).toMatch(words)
    expect(window.location.search).toBe('')
    expect(document.body.innerHTML).not.toContain('anything')
  })
})

describe('A tab that the console opened for a provider', () => {
  const comeFrom = (address: string) => vi.spyOn(document, 'referrer', 'get').mockReturnValue(address)

  it('redirects by itself', async () => {
    comeFrom(`${window.location.origin}/dashboard`)
    await open({ search: '?provider=GitHub' })
    await waitFor(() => expect(goToProvider).toHaveBeenCalledOnce())
    expect(window.location.search).toBe('')
  })

  it.each([
    ['another site', 'https://elsewhere.example/', 'GitHub'],
    ['nowhere', '', 'GitHub'],
    ['here, for a provider there is not', undefined, 'nope'],
  ])('does not redirect if the link came from %s', async (_, referrer, provider) => {
    comeFrom(referrer ?? `${window.location.origin}/dashboard`)
    await open({ search: `?provider=${provider}` })
    await withGitHub()
    expect(goToProvider).not.toHaveBeenCalled()
  })
})

it('The page works by keyboard alone, in reading order', async () => {
  const { user } = await open()
  await withGitHub()
  await tabThrough(user, ['Username', 'Password', 'Show password', 'Login', ...providerButtons, 'Language', 'Theme'])
})
