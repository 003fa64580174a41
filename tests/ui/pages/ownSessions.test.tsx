import '@testing-library/jest-dom/vitest'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { formatDateTime } from '../../../src/components/format/format.ts'
import { forgetCurrentUser } from '../../../src/session/currentUser.ts'
import * as navigation from '../../../src/session/navigation.ts'
import { button, toasts } from '../../support/console/listPage.ts'
import { emptyBrowser } from '../../support/console/pageServer.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { password } from '../../support/server/testServer.ts'

let leaveWithoutAsking: MockInstance<typeof navigation.leaveWithoutAsking>

beforeEach(() => {
  emptyBrowser()
  leaveWithoutAsking = vi.spyOn(navigation, 'leaveWithoutAsking').mockImplementation(() => {})
})

afterEach(() => {
  forgetCurrentUser()
  vi.restoreAllMocks()
})

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const unauthorized = { error: 'ApiErrorUnauthorized' }

async function openMenu({ user }: Pick<Awaited<ReturnType<typeof renderConsole>>, 'user'>, item: string) {
  await user.click(screen.getByRole('button', { name: /^User menu/ }))
  await user.click(await screen.findByRole('menuitem', { name: item }))
}

/** The profile of somebody who is signed in here, and at two other places. */
async function open() {
  const fixture = await renderConsole({ path: '/dashboard/nat' })
  await screen.findByText('Hi, admin')
  const others = [fixture.server.browser('203.0.113.1'), fixture.server.browser('203.0.113.2')]
  for (const browser of others) {
    const headers = { 'user-agent': firefox }
    await browser.call('POST', 'login', { body: { username: 'admin', password }, headers })
  }
  await openMenu(fixture, 'Profile')
  const list = within(await screen.findByRole('region', { name: 'Where you are signed in' }))
  await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(3))
  return { ...fixture, others, entries: () => list.getAllByRole('listitem').map(({ textContent }) => textContent) }
}

describe('The sessions of the user', () => {
  it('show device, address and time, and mark the current one', async () => {
    const { entries } = await open()
    const since = formatDateTime(Date.parse('2026-11-21T00:00:00Z'), 'en-US')
    expect(entries()).toEqual([
      `Firefox, Linux203.0.113.2 · since ${since}End session`,
      `Firefox, Linux203.0.113.1 · since ${since}End session`,
      `Unknown device127.0.0.1 · since ${since}This session`,
    ])
  })

  it('can be ended one by one', async () => {
    const { user, others, entries } = await open()
    await user.click(button('End session: Firefox, Linux 203.0.113.1'))
    await waitFor(() => expect(entries()).toHaveLength(2))
    expect(toasts()).toEqual(['The session has ended.'])
    expect((await others[0]?.get('profile'))?.body).toEqual(unauthorized)
    expect((await others[1]?.get('profile'))?.body).toMatchObject({ success: true })
  })

  it('can all be ended except the current one', async () => {
    const { user, others, entries } = await open()
    await user.click(button('End all others'))
    await waitFor(() => expect(entries()).toEqual([expect.stringContaining('This session')]))
    expect(screen.queryByRole('button', { name: 'End all others' })).toBeNull()
    for (const browser of others) expect((await browser.get('profile')).body).toEqual(unauthorized)
  })
})

/** What is asked for while the page goes gets no answer any more. The servers are asked for last. */
async function waitUntilAllIsThere({ network, settled }: Awaited<ReturnType<typeof renderConsole>>) {
  const asked = () => network.sent.map(({ path }) => path.split('?')[0])
  await waitFor(() => expect(asked()).toEqual(expect.arrayContaining(['setting', 'server'])))
  await settled()
}

describe('Signing out', () => {
  it('ends the session at the server before the page goes', async () => {
    const fixture = await renderConsole({ path: '/dashboard/nat' })
    await screen.findByText('Hi, admin')
    await waitUntilAllIsThere(fixture)
    const token = /nz-jwt=([^;]+)/.exec(document.cookie)?.[1]
    await openMenu(fixture, 'Logout')
    await waitFor(() => expect(leaveWithoutAsking).toHaveBeenCalledOnce())
    expect(document.cookie).toBe('')
    const stolen = await fixture.server.browser().get('profile', { authorization: `Bearer ${token}` })
    expect(stolen.body).toEqual(unauthorized)
  })

  it('works while the server cannot be reached', async () => {
    const fixture = await renderConsole({ path: '/dashboard/nat' })
    await screen.findByText('Hi, admin')
    await waitUntilAllIsThere(fixture)
    fixture.network.isDown = true
    await openMenu(fixture, 'Logout')
    await waitFor(() => expect(leaveWithoutAsking).toHaveBeenCalledOnce())
    expect(document.cookie).toBe('')
    fixture.network.isDown = false
  })

  it('sends nothing to a server without that endpoint', async () => {
    const fixture = await renderConsole({
      path: '/dashboard/nat',
      prepare: (app) =>
        app.addHook('onSend', async (_request, _reply, payload) =>
          typeof payload === 'string' ? payload.replace(/,"wheelhouse":\{.*?\}(?=\})/, '') : payload,
        ),
    })
    await screen.findByText('Hi, admin')
    await waitUntilAllIsThere(fixture)
    await openMenu(fixture, 'Logout')
    await waitFor(() => expect(leaveWithoutAsking).toHaveBeenCalledOnce())
    expect(fixture.network.sent.map(({ path }) => path).filter((path) => path.startsWith('wheelhouse'))).toEqual([])
    expect(document.cookie).toBe('')
  })
})
