import '@testing-library/jest-dom/vitest'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { createSessions } from '../../../server/auth/sessions/sessions.ts'
import { forgetCurrentUser } from '../../../src/session/currentUser.ts'
import * as navigation from '../../../src/session/navigation.ts'
import { clearSavedNames } from '../../../src/storage/savedNames.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button, shownIds, toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { drillRecords } from '../../support/drill/drills.ts'
import { withDrills } from '../../support/drill/index.ts'
import { providersOf } from '../../support/server/auth/providersFile.ts'
import { password, signedIn, type TestServer } from '../../support/server/testServer.ts'

let goToSignIn: MockInstance<typeof navigation.goToSignIn>
let reloadWithoutAsking: MockInstance<typeof navigation.reloadWithoutAsking>

// Refusals and failures are what these tests are about; react-admin writes each to the console.
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(navigation, 'leaveWithoutAsking').mockImplementation(() => {})
  goToSignIn = vi.spyOn(navigation, 'goToSignIn').mockImplementation(() => {})
  reloadWithoutAsking = vi.spyOn(navigation, 'reloadWithoutAsking').mockImplementation(() => {})
})

afterEach(() => {
  forgetCurrentUser()
  vi.restoreAllMocks()
})

async function open(options: Pick<Parameters<typeof renderConsole>[0] & object, 'providers'> = {}) {
  const fixture = await renderConsole({
    ...options,
    extension: withDrills,
    path: '/dashboard/drill',
    records: { drill: drillRecords(3), server: [{ name: 'web' }] },
  })
  await screen.findByText('Drill 1')
  await screen.findByText('Hi, admin')
  return { ...fixture, calls: (path: string) => fixture.network.sent.filter((one) => one.path === path).length }
}

const revoke = ({ store, clock }: TestServer) => createSessions(store, () => clock.now).revokeAll(1)
const dialogs = () => screen.queryAllByRole('dialog', { name: 'Your session has ended.' })
const dialog = () => screen.findByRole('dialog', { name: 'Your session has ended.' })

async function signIn(user: UserEvent, { name, secret = password }: { name?: string; secret?: string } = {}) {
  const form = within(await dialog())
  const username = form.getByLabelText('Username')
  if (name) {
    await user.clear(username)
    await user.type(username, name)
  }
  await user.clear(form.getByLabelText('Password'))
  await user.type(form.getByLabelText('Password'), `${secret}{Enter}`)
}

describe('A session that has ended', () => {
  it('opens one dialog for all refused calls, which are repeated once each', async () => {
    const { user, server, network } = await open()
    revoke(server)
    const before = network.sent.length
    await user.click(button('Refresh'))
    const form = within(await dialog())
    expect(dialogs()).toHaveLength(1)
    expect(form.getByLabelText('Username')).toHaveValue('admin')
    expect(form.getByLabelText('Password')).toHaveFocus()
    const refused = network.sent.slice(before).map(({ path }) => path)
    expect(refused.length).toBeGreaterThan(1)
    const again = network.sent.length
    await signIn(user)
    await waitFor(() => expect(dialogs()).toHaveLength(0))
    const repeated = () => network.sent.slice(again).map(({ path }) => path)
    await waitFor(() => expect(repeated().slice(0, 2)).toEqual(['login', 'profile']))
    for (const path of new Set(refused)) {
      const times = (paths: string[]) => paths.filter((one) => one === path).length
      await waitFor(() => expect(times(repeated().slice(2))).toBeGreaterThanOrEqual(times(refused)))
    }
    expect(repeated().filter((path) => path === 'drill')).toHaveLength(1)
    expect(shownIds()).toEqual([1, 2, 3])
    expect(toasts()).toEqual([])
  })

  it('in another network asks to sign in, and saves what was typed', async () => {
    const { user, server, storedRows } = await open()
    await user.click((await screen.findAllByRole('link', { name: 'Create' }))[0] as HTMLElement)
    await enterText(user, await screen.findByRole('textbox', { name: 'Name' }), 'typed on the train')
    const start = screen.getByLabelText('Starts at', { selector: 'input' })
    fireEvent.change(start, { target: { value: '2026-12-01T04:00' } })
    const sessions = server.store.table<{ id: number; address: string }>({ name: 'session', columns: [] })
    for (const { id } of sessions.all()) sessions.update(id, { address: '203.0.113.7' })
    await user.click(button('Save'))
    await signIn(user)
    await waitFor(() => expect(storedRows('drill')).toHaveLength(4))
    expect(storedRows('drill').at(-1)).toMatchObject({ name: 'typed on the train' })
  })

  it('lets a delete continue once after the sign-in', async () => {
    const { user, server, calls, storedRows } = await open()
    await user.click(await screen.findByRole('checkbox', { name: 'Select Drill 2' }))
    await user.click(button('Delete selected'))
    const question = await screen.findByRole('alertdialog')
    revoke(server)
    await user.click(within(question).getByRole('button', { name: /^Delete/ }))
    await dialog()
    expect(storedRows('drill')).toHaveLength(3)
    await signIn(user)
    await waitFor(() => expect(shownIds()).toEqual([1, 3]))
    expect(calls('batch-delete/drill')).toBe(2)
  })

  it('is not renewed by a wrong password; the dialog says so and stays', async () => {
    const { user, server } = await open()
    revoke(server)
    await user.click(button('Refresh'))
    await signIn(user, { secret: 'wrong' })
    expect(await within(await dialog()).findByRole('alert')).toHaveTextContent('Wrong username or password.')
    // The address is let in again three seconds after a first failure.
    server.clock.now += 4000
    await signIn(user)
    await waitFor(() => expect(dialogs()).toHaveLength(0))
  })

  it('reloads the page if another user signs in, and repeats no calls', async () => {
    const { user, server, calls } = await open()
    await user.click(await screen.findByRole('checkbox', { name: 'Select Drill 2' }))
    await user.click(button('Delete selected'))
    const question = await screen.findByRole('alertdialog')
    revoke(server)
    await user.click(within(question).getByRole('button', { name: /^Delete/ }))
    await signIn(user, { name: 'member' })
    await waitFor(() => expect(reloadWithoutAsking).toHaveBeenCalledOnce())
    expect(calls('batch-delete/drill')).toBe(1)
    // The reload is mocked, so the page of this test still waits for a sign-in: without one it would never end.
    await signIn(user, { name: 'member' })
    await waitFor(() => expect(dialogs()).toHaveLength(0))
  })

  it('can be renewed at a provider in a new tab, while this page stays', async () => {
    const entry = {
      client_id: 'console',
      endpoint: { auth_url: 'https://id.example/auth', token_url: 'https://id.example/token' },
      user_info_url: 'https://id.example/user',
      user_id_path: 'id',
    }
    const { user, server } = await open({ providers: providersOf({ GitHub: entry }) })
    revoke(server)
    await user.click(button('Refresh'))
    const link = await within(await dialog()).findByRole('link', { name: 'Continue with GitHub' })
    expect(link).toHaveAttribute('href', '/dashboard/login?provider=GitHub')
    expect(link).toHaveAttribute('target', '_blank')
    expect(within(await dialog()).getByText(/^A provider opens in a new tab/)).toBeVisible()
    // The message that the other tab sends once somebody has signed in there.
    const { cookies } = await signedIn(server)
    for (const [name, value] of cookies) {
      // biome-ignore lint/suspicious/noDocumentCookie: the other tab got it, and browsers share it
      document.cookie = `${name}=${value}; path=/`
    }
    const channel = new BroadcastChannel('wheelhouse.session')
    channel.postMessage({ type: 'opened', person: { id: 1, role: 0 } })
    await waitFor(() => expect(dialogs()).toHaveLength(0))
    channel.close()
    await waitFor(() => expect(shownIds()).toEqual([1, 2, 3]))
  })

  it('leads to the sign-in page on Cancel', async () => {
    const { user, server } = await open()
    revoke(server)
    await user.click(button('Refresh'))
    await user.click(within(await dialog()).getByRole('button', { name: 'Cancel' }))
    expect(goToSignIn).toHaveBeenCalledOnce()
    // Nothing is lost until the page is left: the user may still change their mind.
    await signIn(user)
    await waitFor(() => expect(dialogs()).toHaveLength(0))
  })
})

describe('A server that cannot be reached', () => {
  it('keeps the rows on screen, says since when, and reloads the list when it is back', async () => {
    const { user, network, calls } = await open()
    network.isDown = true
    await user.click(button('Refresh'))
    const bar = await screen.findByText(/^The server has been unreachable since \d/)
    expect(shownIds()).toEqual([1, 2, 3])
    await user.click(button(/^Name/))
    await waitFor(() => expect(window.location.search).toContain('sort=name'))
    expect(shownIds()).toEqual([1, 2, 3])
    expect(screen.queryByText(/Error Fetching Resource/)).toBeNull()

    const before = calls('drill')
    network.isDown = false
    await waitFor(() => expect(bar).not.toBeInTheDocument())
    await waitFor(() => expect(calls('drill')).toBe(before + 1))
    expect(shownIds()).toEqual([1, 2, 3])
  })
})

it('names of servers are shown before their list is loaded', async () => {
  // As at the start of a page: what other tests have read is not remembered.
  clearSavedNames()
  localStorage.setItem('wheelhouse.names.server', '{"1":"web of yesterday"}')
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await renderConsole({
    extension: withDrills,
    path: '/dashboard/drill',
    records: { drill: [{ ...drillRecords(1)[0], servers: [1] }], server: [{ name: 'web' }] },
    prepare: (app) => {
      app.addHook('onRequest', async ({ url }) => (url === '/api/v1/server' ? held : undefined))
    },
  })
  expect(await screen.findByText('web of yesterday')).toBeVisible()
  letGo()
  expect(await screen.findByText('web')).toBeVisible()
})
