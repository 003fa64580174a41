import '@testing-library/jest-dom/vitest'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadSignInTexts } from '../../../i18n/signInTexts.ts'
import { createSessions } from '../../../server/auth/sessions/sessions.ts'
import { usersIn } from '../../../server/auth/users/users.ts'
import { Login } from '../../../src/custom/login/Login.tsx'
import { ConsoleNotLoaded } from '../../../src/custom/login/LoginFailures.tsx'
import { emptyBrowser, servePage, stubMatchMedia } from '../../support/console/pageServer.ts'
import { password, testServer } from '../../support/server/testServer.ts'

type ServerOptions = Parameters<typeof testServer>[0]

/** The sign-in page at an address, in front of a server of its own. */
async function open({ search = '', onSignedIn = vi.fn(async () => {}), ...options }: OpenOptions = {}) {
  const server = await testServer(options)
  const asked = servePage(server)
  window.history.replaceState(null, '', `/dashboard/login${search}`)
  render(<Login onSignedIn={onSignedIn} />)
  return { server, asked, onSignedIn, user: userEvent.setup() }
}

interface OpenOptions extends NonNullable<ServerOptions> {
  search?: string
  onSignedIn?: () => Promise<void>
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

async function signIn(user: ReturnType<typeof userEvent.setup>, secret = password) {
  await user.clear(field('Username'))
  await user.type(field('Username'), 'admin')
  await user.clear(field('Password'))
  await user.type(field('Password'), `${secret}{Enter}`)
}

beforeEach(() => stubMatchMedia())

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  emptyBrowser()
})

describe('signing in', () => {
  it('opens the console after the sign-in', async () => {
    const { user, onSignedIn } = await open()
    await signIn(user)
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
    expect(document.cookie).toContain('nz-jwt=')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('shows errors at the fields and focuses the first one', async () => {
    const { user, asked, onSignedIn } = await open()
    await user.click(screen.getByRole('button', { name: 'Login' }))
    expect(field('Username')).toHaveAccessibleDescription('Username must be at least 2 characters.')
    expect(field('Password')).toHaveAccessibleDescription('Password cannot be empty.')
    expect(document.activeElement).toBe(field('Username'))
    await user.keyboard('ab{Enter}')
    expect(field('Username')).not.toHaveAccessibleDescription()
    expect(document.activeElement).toBe(field('Password'))
    expect(asked).not.toContain('POST /api/v1/login')
    expect(onSignedIn).not.toHaveBeenCalled()
  })

  it('distinguishes a wrong password from a blocked address', async () => {
    const { user, onSignedIn } = await open()
    await signIn(user, 'wrong')
    expect((await screen.findByRole('alert')).textContent).toBe('Wrong username or password.')
    expect(field('Username').value).toBe('admin')
    // The server keeps the address from this account for three seconds after the first failure.
    await signIn(user, 'wrong again')
    await screen.findByText(
      /^Too many failed attempts for this account from this address\. Try again after \d?\d:\d\d:\d\d.[AP]M\.$/,
    )
    expect(onSignedIn).not.toHaveBeenCalled()
  })

  it('tells who has a disabled account so, and sends nobody to look at the connection', async () => {
    const { user, server } = await open()
    usersIn(server.store).update(1, { disabled: true })
    await signIn(user)
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe('This account is disabled. Ask an administrator to enable it.')
    expect(screen.queryByRole('link', { name: 'Check the connection' })).toBeNull()
  })

  it('shows the server’s message for other errors', async () => {
    const { user } = await open({ site: { web_real_ip_header: 'X-Real-IP' } })
    await signIn(user)
    expect((await screen.findByRole('alert')).textContent).toBe('real ip header not found')
  })

  it('says if the server cannot be reached', async () => {
    const { user } = await open()
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await signIn(user)
    expect((await screen.findByRole('alert')).textContent).toMatch(/^The server cannot be reached/)
  })

  it('says if a proxy answers instead of the server', async () => {
    const { user } = await open()
    const page = () => new Response('<h1>Bad Gateway</h1>', { status: 502, statusText: 'Bad Gateway' })
    vi.stubGlobal('fetch', async () => page())
    await signIn(user)
    expect((await screen.findByRole('alert')).textContent).toBe('502 Bad Gateway')
  })

  it('says if the browser keeps no cookies, instead of asking for the password again', async () => {
    const { user, onSignedIn } = await open()
    vi.spyOn(document, 'cookie', 'get').mockReturnValue('')
    await signIn(user)
    expect((await screen.findByRole('alert')).textContent).toMatch(/^This browser did not keep the session/)
    expect(onSignedIn).not.toHaveBeenCalled()
  })

  it('shows the password on request', async () => {
    const { user } = await open()
    await user.type(field('Password'), 'secret')
    expect(field('Password').type).toBe('password')
    await user.click(screen.getByRole('button', { name: 'Show password' }))
    expect(field('Password').type).toBe('text')
    await user.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(field('Password')).toMatchObject({ type: 'password', value: 'secret' })
  })
})

describe('opening the sign-in page', () => {
  it('asks to log in first if another path was requested', async () => {
    await open({ search: '?next=%2Fdashboard%2Fserver-group' })
    expect(screen.getByRole('status').textContent).toBe('Please Log in first')
  })

  it('says that the session has ended', async () => {
    await open({ search: '?ended=1&next=%2Fdashboard%2Fserver-group' })
    expect(screen.getByRole('status').textContent).toBe(
      'Your session has ended: expired, ended by an account change, or your address changed.',
    )
  })

  it('shows no message otherwise', async () => {
    await open()
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('opens the console at once with a valid session', async () => {
    const first = await open()
    await signIn(first.user)
    await waitFor(() => expect(first.onSignedIn).toHaveBeenCalledOnce())
    cleanup()
    const again = vi.fn(async () => {})
    render(<Login onSignedIn={again} />)
    await waitFor(() => expect(again).toHaveBeenCalledOnce())
    expect(document.cookie).toContain('nz-jwt=')
  })

  it('removes the cookies of a revoked session before it calls a public route', async () => {
    const { server, asked, user, onSignedIn } = await open()
    await signIn(user)
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
    createSessions(server.store, () => server.clock.now).revokeAll(1)
    cleanup()
    asked.length = 0
    const again = vi.fn(async () => {})
    render(<Login onSignedIn={again} />)
    await waitFor(() => expect(asked).toEqual(['GET /api/v1/profile', 'GET /api/v1/setting']))
    expect(document.cookie).toBe('')
    await signIn(user)
    await waitFor(() => expect(again).toHaveBeenCalledOnce())
  })
})

describe('the sign-in page', () => {
  it('shows the site’s name and uses its language', async () => {
    await open({ site: { site_name: 'Hafen', language: 'de-DE' } })
    await screen.findByRole('heading', { name: 'Hafen' })
    await screen.findByRole('button', { name: 'Anmelden' })
    expect(document.title).toBe('Anmelden · Hafen')
    expect(document.documentElement.lang).toBe('de-DE')
    // The site's language is not a choice of this person.
    expect(localStorage.getItem('wheelhouse.locale')).toBeNull()
  })

  it('uses the chosen language rather than the site’s', async () => {
    const { user } = await open({ site: { language: 'de-DE' } })
    await screen.findByRole('button', { name: 'Anmelden' })
    await user.selectOptions(screen.getByLabelText('Sprache'), 'it')
    await user.click(await screen.findByRole('button', { name: 'Accedi' }))
    expect(field('Nome utente')).toHaveAccessibleDescription('Il nome utente deve avere almeno 2 caratteri.')
    expect(screen.getByRole('heading', { name: 'Monitoraggio server' })).toBeTruthy()
    expect(localStorage.getItem('wheelhouse.locale')).toBe('it')
    expect(document.documentElement.lang).toBe('it')
  })

  it('switches to the dark theme at once and saves it', async () => {
    const { user } = await open()
    await user.selectOptions(screen.getByLabelText('Theme'), 'dark')
    expect(document.documentElement.dataset.theme).toBe('dark')
    expect(localStorage.getItem('wheelhouse.theme')).toBe('dark')
    await user.selectOptions(screen.getByLabelText('Theme'), 'system')
    expect(document.documentElement.dataset.theme).toBe('light')
  })

  it('works by keyboard alone, in reading order', async () => {
    const { user } = await open()
    const stops = ['Username', 'Password', 'Show password', 'Login', 'Language', 'Theme']
    for (const name of stops) {
      await user.tab()
      expect(document.activeElement).toHaveAccessibleName(name)
    }
  })
})

it('a failed load of the console is reported in the browser’s language, with a Reload button', async () => {
  localStorage.setItem('wheelhouse.locale', 'de-DE')
  await loadSignInTexts('de-DE')
  render(<ConsoleNotLoaded />)
  expect(screen.getByRole('alert')).toHaveTextContent(/^Die Konsole konnte nicht geladen werden/)
  expect(screen.getByRole('button', { name: 'Neu laden' })).toBeVisible()
})
