import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { codeOf } from '../../support/server/auth/secondFactor.ts'

/** Opens a page of a server that does not answer one call until it is told to. */
async function openWithout(call: string, path: string) {
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  const rendered = await renderConsole({
    path,
    prepare: (app) =>
      void app.addHook('preHandler', async ({ method, url }) => {
        if (`${method} ${url}` === `POST /api/v1/${call}`) await promise
      }),
  })
  const { user } = rendered
  /** Leaves a dialog as soon as that is possible, and then its page. */
  const leave = async (leaving: HTMLElement) => {
    await waitFor(() => expect(leaving).toHaveProperty('disabled', false))
    await user.click(leaving)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(await screen.findByRole('link', { name: /Back to Home/ }))
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'))
  }
  return { ...rendered, leave, answer }
}

describe('What the server says once is shown above any page when its dialog was left before the answer came:', () => {
  it('the secret of a token, until it is closed by its button', async () => {
    const { user, leave, answer } = await openWithout('api-tokens', '/dashboard/profile')
    await user.click(await screen.findByRole('button', { name: 'Show: API tokens' }))
    await user.click(await screen.findByRole('button', { name: 'Create token' }))
    const form = within(await screen.findByRole('dialog', { name: 'Create token' }))
    await user.type(await form.findByRole('combobox', { name: 'Scopes' }), 'nezha:server:ex')
    await user.click(await screen.findByRole('option', { name: 'nezha:server:exec' }))
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'ci')
    await user.click(form.getByRole('button', { name: 'Create token' }))
    await leave(form.getByRole('button', { name: 'Cancel' }))
    answer()
    const shown = within(await screen.findByRole('dialog', { name: 'Token created' }))
    shown.getByText('ci')
    shown.getByText(/^nzp_/)
    await user.keyboard('{Escape}')
    await user.click(shown.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('the link of an invitation', async () => {
    const { user, leave, answer } = await openWithout('wheelhouse/invitations', '/dashboard/settings/user')
    await user.click(await screen.findByRole('button', { name: 'Invite' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite somebody' }))
    await dialog.findByText('There are none.')
    await user.click(dialog.getByRole('button', { name: 'Create link' }))
    await leave(dialog.getByRole('button', { name: 'Close' }))
    answer()
    await screen.findByText(/\/dashboard\/login#invitation=[\w-]{43}$/)
    await user.click(button('Close'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('recovery codes', async () => {
    const { user, server, leave, answer } = await openWithout('wheelhouse/second-factor/totp', '/dashboard/profile')
    await user.click(await screen.findByRole('button', { name: 'Set up authenticator app' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Set up authenticator app' }))
    const code = await dialog.findByLabelText('Code')
    const secret = document.querySelector('[role=dialog] code')?.textContent ?? ''
    await user.type(code, `${codeOf(secret, server.clock.now)}{Enter}`)
    await leave(dialog.getByRole('button', { name: 'Cancel' }))
    answer()
    const codes = within(await screen.findByRole('dialog', { name: 'Recovery codes' }))
    expect(codes.getAllByRole('listitem')).toHaveLength(10)
    await user.click(codes.getByLabelText('I have saved these codes'))
    await user.click(codes.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('recovery codes, and another dialog that is open by then stays', async () => {
    const { user, server, answer } = await openWithout('wheelhouse/second-factor/recovery-codes', '/dashboard/profile')
    const setUp = async (name: string) => {
      await user.click(await screen.findByRole('button', { name }))
      return within(await screen.findByRole('dialog', { name: 'Set up authenticator app' }))
    }
    const dialog = await setUp('Set up authenticator app')
    const code = await dialog.findByLabelText('Code')
    const secret = document.querySelector('[role=dialog] code')?.textContent ?? ''
    await user.type(code, `${codeOf(secret, server.clock.now)}{Enter}`)
    const closeCodes = async () => {
      const codes = within(await screen.findByRole('dialog', { name: 'Recovery codes' }))
      await user.click(codes.getByLabelText('I have saved these codes'))
      await user.click(codes.getByRole('button', { name: 'Close' }))
      await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Recovery codes' })).toBeNull())
    }
    await closeCodes()
    await user.click(await screen.findByRole('button', { name: 'Make new codes' }))
    const question = within(await screen.findByRole('dialog', { name: 'Make new codes' }))
    await user.click(question.getByRole('button', { name: 'Make new codes' }))
    await user.click(question.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await setUp('Replace')
    answer()
    await closeCodes()
    screen.getByRole('dialog', { name: 'Set up authenticator app' })
  })
})
