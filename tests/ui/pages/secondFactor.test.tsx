import '@testing-library/jest-dom/vitest'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeSite } from '../../../server/site/site.ts'
import { cookies, csrfHeader } from '../../../src/schemas/define/wireNames.ts'
import type { TabMessage } from '../../../src/session/tabMessages.ts'
import { cookie } from '../../../src/session/token.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button, toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { catchErrors } from '../../support/journeys/consoleErrors.ts'
import { codeOf, setUpTotp } from '../../support/server/auth/secondFactor.ts'
import { password, signedIn } from '../../support/server/testServer.ts'

const question = () => screen.findByRole('dialog', { name: 'Confirm that it is you' })
const questions = () => screen.queryAllByRole('dialog', { name: 'Confirm that it is you' })

/** The form of a new user, filled in, a quarter of an hour after the sign-in on a server that asks everybody again. */
async function openUserForm() {
  const fixture = await renderConsole({ path: '/dashboard/settings/user' })
  const { user, server, network } = fixture
  writeSite(server.store, { reauthentication_everybody: true })
  await user.click(await screen.findByRole('link', { name: 'Create' }))
  const form = await screen.findByRole('dialog')
  const name = await within(form).findByLabelText(/^Username/)
  await enterText(user, name, 'milly')
  await enterText(user, within(form).getByLabelText(/^Password/), 'a long password')
  server.clock.now += 16 * 60_000
  const save = () => user.click(within(form).getByRole('button', { name: /^(Save|Create)/ }))
  const sent = (path: string) => network.sent.filter((one) => one.method === 'POST' && one.path === path)
  return { ...fixture, name, save, sent }
}

/** Another tab of the same browser. */
function openTab() {
  const received: TabMessage[] = []
  const channel = new BroadcastChannel('wheelhouse.session')
  channel.onmessage = ({ data }) => void received.push(data)
  onTestFinished(() => channel.close())
  return { received, channel }
}

describe('Being asked again', () => {
  it('leaves the form as it was typed when it is cancelled, and saves it after the password', async () => {
    catchErrors()
    const { user, server, name, save, sent } = await openUserForm()
    const { received } = openTab()
    await save()
    await user.click(within(await question()).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(toasts().join()).toContain('Cancelled: your identity was not confirmed.'))
    expect(name).toHaveValue('milly')
    expect(received).toEqual([])

    await save()
    const dialog = within(await question())
    const field = await dialog.findByLabelText('Password')
    expect(field).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(await dialog.findByRole('alert')).toHaveTextContent('This is needed.')
    await user.type(field, 'not the password{Enter}')
    await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('Wrong password.'))
    expect(field).toHaveFocus()
    // Wrong passwords block the address for a moment.
    server.clock.now += 60_000
    await user.clear(field)
    const tries = sent('wheelhouse/reauthentication').length
    await user.type(field, `${password}{Enter}{Enter}`)
    await waitFor(() => expect(questions()).toHaveLength(0))
    expect(sent('wheelhouse/reauthentication')).toHaveLength(tries + 1)
    await screen.findByText('milly')
    await waitFor(() => expect(received).toEqual([{ type: 'steppedUp', kind: 'reauthenticate' }]))
  })

  it('ends in all tabs when one of them has the answer', async () => {
    const { network, save } = await openUserForm()
    const { channel } = openTab()
    await save()
    await question()
    const reply = await network.fetch('/api/v1/wheelhouse/reauthentication', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', [csrfHeader]: cookie(cookies.csrf) ?? '' },
      body: JSON.stringify({ method: 'password', password }),
    })
    expect(await reply.json()).toMatchObject({ success: true })
    channel.postMessage({ type: 'steppedUp', kind: 'reauthenticate' } satisfies TabMessage)
    await waitFor(() => expect(questions()).toHaveLength(0))
    await screen.findByText('milly')
  })
})

it('A wrong code of a new app is named at the field, recovery codes stay until they are saved, and new ones are made after a question', async () => {
  catchErrors()
  const { user, server, network } = await renderConsole({ path: '/dashboard/profile' })
  await user.click(await screen.findByRole('button', { name: 'Set up authenticator app' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Set up authenticator app' }))
  const code = await dialog.findByLabelText<HTMLInputElement>('Code')
  expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  await user.click(dialog.getByRole('button', { name: 'Confirm' }))
  expect(code).toHaveAccessibleDescription('This is needed.')
  await user.type(code, '000000')
  await user.click(dialog.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(code).toHaveAccessibleDescription('That code is not right.'))
  expect(code).toBeInvalid()
  expect(code).toHaveFocus()
  expect([code.selectionStart, code.selectionEnd]).toEqual([0, 6])

  const secret = document.querySelector('[role=dialog] code')?.textContent ?? ''
  await user.type(code, `${codeOf(secret, server.clock.now)}{Enter}`, {
    initialSelectionStart: 0,
    initialSelectionEnd: 6,
  })
  const codes = within(await screen.findByRole('dialog', { name: 'Recovery codes' }))
  const texts = codes.getAllByRole('listitem').map((item) => item.textContent)
  const link = codes.getByRole('link', { name: 'Download as a text file' })
  expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain(texts.join('\n'))
  await user.keyboard('{Escape}')
  expect(codes.getByRole('button', { name: 'Close' })).toBeDisabled()
  await user.click(codes.getByLabelText('I have saved these codes'))
  await user.click(codes.getByRole('button', { name: 'Close' }))
  await screen.findByText(/^10 codes left/)

  const renewals = () =>
    network.sent.filter(({ method, path }) => method === 'POST' && path.endsWith('/recovery-codes'))
  const askForNewCodes = async () => {
    await user.click(screen.getByRole('button', { name: 'Make new codes' }))
    return within(await screen.findByRole('dialog', { name: 'Make new codes' }))
  }
  const question = await askForNewCodes()
  question.getByText(/The codes that you have now no longer work then/)
  // Return alone does nothing that cannot be taken back.
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(renewals()).toEqual([])
  await user.click((await askForNewCodes()).getByRole('button', { name: 'Make new codes' }))
  const newCodes = within(await screen.findByRole('dialog', { name: 'Recovery codes' }))
  expect(newCodes.getAllByRole('listitem').map((item) => item.textContent)).not.toEqual(texts)
  expect(renewals()).toHaveLength(1)
})

it('An administrator resets the second factor of somebody after a question that names the person', async () => {
  const { user, server } = await renderConsole({ path: '/dashboard/settings/user' })
  await setUpTotp(server, await signedIn(server, 'member'))
  const openMenu = async (name: string) => {
    await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
    await screen.findByRole('menu')
  }
  await openMenu('admin')
  expect(screen.queryByRole('menuitem', { name: 'Reset second factor' })).toBeNull()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await user.click(button('Refresh'))
  await screen.findByRole('img', { name: 'Yes' })
  const signInWithPassword = async () => (await server.browser().signIn('member', password)).body

  const ask = async () => {
    await openMenu('member')
    await user.click(await screen.findByRole('menuitem', { name: 'Reset second factor' }))
    return within(await screen.findByRole('alertdialog', { name: /second factor of “member”\?/ }))
  }
  await user.click((await ask()).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(await signInWithPassword()).toMatchObject({ error: expect.stringMatching(/^ApiErrorSecondFactorNeeded/) })
  await user.click((await ask()).getByRole('button', { name: 'Reset second factor' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await waitFor(async () => expect(await signInWithPassword()).toMatchObject({ success: true }))
})
