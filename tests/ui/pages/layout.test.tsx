import '@testing-library/jest-dom/vitest'
import { QueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { CoreAdminContext, type I18nProvider, TestMemoryRouter, useLocation, useNotify } from 'react-admin'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createI18nProvider } from '../../../i18n/index.ts'
import { chooseLocale } from '../../../i18n/locales.ts'
import { createAuthProvider } from '../../../src/authProvider.ts'
import { NotFoundPage } from '../../../src/custom/layout/ErrorPage.tsx'
import { MenuContext, SettingsContext } from '../../../src/custom/layout/header/menuEntries.ts'
import { Layout } from '../../../src/custom/layout/Layout.tsx'
import { hasRememberedLanguage, initialLocale } from '../../../src/custom/login/publicSetting.ts'
import { ConsoleTheme } from '../../../src/custom/theme/ConsoleTheme.tsx'
import { createDataProvider } from '../../../src/dataProvider.ts'
import { menuOf } from '../../../src/resources/engine/routes.tsx'
import { resources } from '../../../src/resources/index.ts'
import { emptyBrowser, servePage, stubMatchMedia } from '../../support/console/pageServer.ts'
import { password, testServer } from '../../support/server/testServer.ts'

interface Fixture {
  as?: 'admin' | 'member'
  path?: string
  siteName?: string
  /** The language of the site. */
  language?: string
  children?: ReactNode
  i18nProvider?: I18nProvider
}

/** The frame around a screen, for somebody who signed in at an embedded server. */
async function show({
  as = 'admin',
  path = '/dashboard',
  siteName = '',
  language = '',
  children,
  i18nProvider,
}: Fixture = {}) {
  servePage(await testServer({ site: { site_name: siteName, language } }))
  await fetch('/api/v1/login', { method: 'POST', body: JSON.stringify({ username: as, password }) })
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <ConsoleTheme>
      <TestMemoryRouter initialEntries={[path]}>
        <CoreAdminContext
          basename="/dashboard"
          authProvider={createAuthProvider(queryClient)}
          dataProvider={createDataProvider(queryClient)}
          i18nProvider={i18nProvider ?? (await createI18nProvider('en-US'))}
          queryClient={queryClient}
        >
          <MenuContext value={menuOf(resources, '/dashboard')}>
            <SettingsContext value={resources.filter(({ path: own }) => own.startsWith('settings/'))}>
              <Layout>{children ?? <h1>Screen</h1>}</Layout>
            </SettingsContext>
          </MenuContext>
        </CoreAdminContext>
      </TestMemoryRouter>
    </ConsoleTheme>,
  )
  await screen.findByText(`Hi, ${as}`)
  return userEvent.setup()
}

beforeEach(() => stubMatchMedia())

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  emptyBrowser()
})

const navigation = () => within(screen.getByRole('navigation', { name: 'Main navigation' }))

describe('the layout', () => {
  it('shows user name, login address and server version', async () => {
    await show()
    expect(screen.getByText('Login IP: 127.0.0.1')).toBeVisible()
    expect(await screen.findByText('Server 1.2.3')).toBeVisible()
    expect(screen.getByText(/^© 2026/)).toBeVisible()
  })

  it('starts in the site’s language the next time, unless the user has chosen another', async () => {
    expect([hasRememberedLanguage(), initialLocale()]).toEqual([false, 'en-US'])
    await show({ language: 'de-DE' })
    await waitFor(() => expect([hasRememberedLanguage(), initialLocale()]).toEqual([true, 'de-DE']))
    chooseLocale('it')
    expect(initialLocale()).toBe('it')
  })

  it('shows members the console’s version, as the server conceals its own from them', async () => {
    await show({ as: 'member' })
    expect(screen.getByText(/^Console \d+\.\d+\.\d+/)).toBeVisible()
  })

  it('shows the site’s name as a link to the home page', async () => {
    await show({ siteName: 'Harbour', path: '/dashboard/server-group' })
    const home = await screen.findByRole('link', { name: 'Harbour, Back to Home' })
    expect(home).toHaveAttribute('href', '/dashboard')
  })

  it('has no link to what visitors see, as the embedded server has nothing for them', async () => {
    await show()
    expect(screen.queryByRole('link', { name: 'What visitors see' })).toBeNull()
  })

  it('shows Server Monitoring for a site without a name', async () => {
    await show()
    expect(screen.getByRole('link', { name: 'Server Monitoring, Back to Home' })).toBeVisible()
  })

  it('marks the current navigation entry, in dialogs too', async () => {
    const user = await show({ path: '/dashboard/server-group/create' })
    expect(navigation().getByRole('link', { current: 'page' })).toHaveTextContent('Group')
    await user.click(navigation().getByRole('link', { name: 'Server' }))
    expect(navigation().getByRole('link', { current: 'page' })).toHaveTextContent('Server')
  })

  it('has a link that skips to the content', async () => {
    const user = await show()
    await user.tab()
    expect(document.activeElement).toHaveAccessibleName('Skip to content')
    await user.keyboard('{Enter}')
    expect(document.activeElement).toBe(screen.getByRole('main'))
  })

  it('has the navigation in a drawer, which closes when an entry is chosen', async () => {
    const user = await show()
    // The window of these tests is wide and cannot be made narrow: there the drawer works, but is not displayed.
    const hidden = true
    await user.click(screen.getByLabelText('Open navigation'))
    await user.click(within(await screen.findByRole('dialog', { hidden })).getByText('Group'))
    await waitFor(() => expect(screen.queryByRole('dialog', { hidden })).toBeNull())
    expect(navigation().getByRole('link', { current: 'page' })).toHaveTextContent('Group')
  })
})

describe('the menus', () => {
  it('change the language at once and save it in this browser', async () => {
    const user = await show()
    await user.click(screen.getByRole('button', { name: 'Language' }))
    expect(await screen.findByRole('menuitemradio', { checked: true })).toHaveTextContent('English')
    await user.click(screen.getByRole('menuitemradio', { name: 'Deutsch' }))
    expect(await screen.findByRole('button', { name: 'Sprache' })).toBeVisible()
    expect(localStorage.getItem('wheelhouse.locale')).toBe('de-DE')
    expect(document.documentElement.lang).toBe('de-DE')
  })

  it('change the theme at once and save it in this browser', async () => {
    const user = await show()
    await user.click(screen.getByRole('button', { name: 'Theme' }))
    expect(await screen.findByRole('menuitemradio', { checked: true })).toHaveTextContent('System')
    await user.click(screen.getByRole('menuitemradio', { name: 'Dark' }))
    expect(document.documentElement.dataset.theme).toBe('dark')
    expect(localStorage.getItem('wheelhouse.theme')).toBe('dark')
  })

  it('work by keyboard: arrows choose, Escape returns to the button', async () => {
    const user = await show()
    const button = screen.getByRole('button', { name: 'User menu: admin' })
    button.focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Profile' })).toHaveFocus())
    await user.keyboard('{ArrowDown}')
    expect(screen.getByRole('menuitem', { name: 'Recent changes' })).toHaveFocus()
    await user.keyboard('{ArrowDown}')
    expect(screen.getByRole('menuitem', { name: 'Settings' })).toHaveFocus()
    await user.keyboard('{ArrowDown}')
    expect(screen.getByRole('menuitem', { name: 'Check the connection' })).toHaveFocus()
    await user.keyboard('{ArrowDown}')
    expect(screen.getByRole('menuitem', { name: 'Logout' })).toHaveFocus()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(button).toHaveFocus())
  })
})

describe('the clock', () => {
  it('updates every second and renders nothing but itself', async () => {
    vi.useFakeTimers({
      toFake: ['Date', 'setTimeout', 'clearTimeout'],
      now: new Date(2026, 10, 21, 9, 59, 57, 300),
      shouldAdvanceTime: true,
    })
    const i18nProvider = await createI18nProvider('en-US')
    const translate = vi.spyOn(i18nProvider, 'translate')
    await show({ i18nProvider })
    await screen.findByText('Server 1.2.3')
    translate.mockClear()
    const clock = screen.getByTitle('Current time')
    const seen = [0, 1, 2].map(() => {
      act(() => void vi.advanceTimersByTime(1000))
      return clock.textContent
    })
    expect(new Set(seen).size).toBe(3)
    expect(new Set(translate.mock.calls.map(([key]) => key))).toEqual(new Set(['app.shell.clock']))
  })
})

describe('a screen that fails', () => {
  function Failing() {
    if (useLocation().pathname === '/dashboard') throw new Error('The hold is flooded.')
    return <h1>Fine</h1>
  }

  it('keeps the layout, shows the error, and resets on the next screen', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const user = await show({ children: <Failing /> })
    const apology = within(screen.getByRole('alert'))
    expect(apology.getByRole('heading', { name: 'Oops!' })).toBeVisible()
    expect(apology.getByText('Sorry, an unexpected error has occurred.')).toBeVisible()
    expect(apology.getByText('The hold is flooded.')).toBeVisible()
    expect(apology.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/dashboard')
    await user.click(navigation().getByRole('link', { name: 'Group' }))
    expect(screen.getByRole('heading', { name: 'Fine' })).toBeVisible()
  })

  it('is shown for an unknown path, with its own title', async () => {
    await show({ children: <NotFoundPage />, siteName: 'Harbour' })
    expect(screen.getByText('There is no page at this address.')).toBeVisible()
    await waitFor(() => expect(document.title).toBe('Oops! · Harbour'))
  })
})

describe('toasts', () => {
  function Notifier() {
    const notify = useNotify()
    return (
      <>
        <button type="button" onClick={() => notify('app.action.copied', { type: 'success' })}>
          succeed
        </button>
        {[1, 2, 3, 4].map((number) => (
          <button key={number} type="button" onClick={() => notify(`disk ${number} is full`, { type: 'error' })}>
            fail {number}
          </button>
        ))}
      </>
    )
  }

  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
  const toasts = () => within(screen.getByRole('region', { name: 'Notifications' }))

  const pass = (seconds: number) => act(() => void vi.advanceTimersByTime(seconds * 1000))
  const cardOf = (text: string) => toasts().getByText(text).closest('[data-type]') as Element

  it('of success disappear after four seconds, unless they are hovered', async () => {
    await show({ children: <Notifier /> })
    vi.useFakeTimers()
    press('succeed')
    expect(toasts().getByText('Copied')).toBeVisible()
    pass(3.9)
    fireEvent.pointerEnter(cardOf('Copied'))
    pass(60)
    expect(toasts().getByText('Copied')).toBeVisible()
    fireEvent.pointerLeave(cardOf('Copied'))
    pass(4.1)
    expect(toasts().queryByText('Copied')).toBeNull()
  })

  it('of errors are announced with the title Error, can be copied and dismissed', async () => {
    const user = await show({ children: <Notifier /> })
    press('fail 1')
    const toast = within(toasts().getByRole('alert'))
    expect(toast.getByText('Error')).toBeVisible()
    await user.click(toast.getByRole('button', { name: 'Copy' }))
    expect(await navigator.clipboard.readText()).toBe('disk 1 is full')
    fireEvent.click(toast.getByRole('button', { name: 'Dismiss' }))
    expect(toasts().queryByRole('alert')).toBeNull()
  })

  it('of errors disappear later, never while they have the focus or are hovered', async () => {
    await show({ children: <Notifier /> })
    vi.useFakeTimers()
    press('fail 1')
    pass(14)
    const dismiss = within(toasts().getByRole('alert')).getByRole('button', { name: 'Dismiss' })
    act(() => dismiss.focus())
    fireEvent.pointerEnter(cardOf('disk 1 is full'))
    pass(600)
    // One of the two is enough to keep it.
    fireEvent.pointerLeave(cardOf('disk 1 is full'))
    pass(600)
    expect(toasts().getByText('disk 1 is full')).toBeVisible()
    act(() => dismiss.blur())
    pass(16)
    expect(toasts().queryByText('disk 1 is full')).toBeNull()
  })

  it('do not disappear while nobody can see them', async () => {
    await show({ children: <Notifier /> })
    vi.useFakeTimers()
    for (const number of [1, 2, 3, 4]) press(`fail ${number}`)
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    fireEvent(document, new Event('visibilitychange'))
    pass(600)
    visibility.mockReturnValue('visible')
    fireEvent(document, new Event('visibilitychange'))
    expect(toasts().getByText('disk 4 is full')).toBeVisible()
    pass(16)
    // The oldest had no place among the three, and is shown now.
    expect(toasts().queryByText('disk 4 is full')).toBeNull()
    expect(toasts().getByText('disk 1 is full')).toBeVisible()
    pass(16)
    expect(toasts().queryByRole('alert')).toBeNull()
  })

  it('are three at most; an older error reappears when a newer one is dismissed', async () => {
    await show({ children: <Notifier /> })
    for (const number of [1, 2, 3, 4]) press(`fail ${number}`)
    expect(toasts().getAllByRole('alert')).toHaveLength(3)
    expect(toasts().getByText('disk 1 is full')).not.toBeVisible()
    fireEvent.click(within(toasts().getAllByRole('alert')[2] as HTMLElement).getByRole('button', { name: 'Dismiss' }))
    expect(toasts().getByText('disk 1 is full')).toBeVisible()
  })

  it('are replaced by a repeated message', async () => {
    await show({ children: <Notifier /> })
    press('fail 1')
    press('fail 2')
    press('fail 1')
    const toastTexts = () =>
      toasts()
        .getAllByRole('alert')
        .map((toast) => within(toast).getByText(/disk/).textContent)
    expect(toastTexts()).toEqual(['disk 2 is full', 'disk 1 is full'])
    fireEvent.click(toasts().getAllByRole('button', { name: 'Dismiss' })[1] as HTMLElement)
    expect(toastTexts()).toEqual(['disk 2 is full'])
  })
})
