import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterSetting } from '../../support/console/alterSetting.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const field = (name: RegExp | string) => screen.findByRole('textbox', { name })
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

/** A Nezha server announces nothing; it has no records either, from which its age could be seen. */
const nezha = alterSetting({}, { wheelhouse: undefined })

describe('Events in front of a Nezha server', () => {
  it('are not offered by a notifier, and not sent', async () => {
    const { user, network } = await renderConsole({ path: '/dashboard/notification/create', prepare: nezha })
    await enterText(user, await field('Name'), 'New')
    await enterText(user, await field('URL'), 'https://x.example.org/')
    expect(await screen.findByRole('switch', { name: 'Metrics with units' })).toBeTruthy()
    expect(screen.queryByRole('switch', { name: 'Send events as JSON' })).toBeNull()
    await user.click(await screen.findByRole('switch', { name: 'Do not send a test message' }))
    await user.click(button('Save'))
    await noDialog()
    const body = network.sent.findLast(({ method }) => method === 'POST')?.body
    expect(body).toMatchObject({ name: 'New' })
    expect(Object.keys(body as object)).not.toContain('send_events')
    expect(Object.keys(body as object)).not.toContain('signing_secret')
  })

  it('are not offered by a notifier group', async () => {
    await renderConsole({ path: '/dashboard/notification-group/create', prepare: nezha })
    await field('Name')
    expect(screen.queryByRole('combobox', { name: /^Events/ })).toBeNull()
    expect(screen.queryByRole('columnheader', { name: 'Events' })).toBeNull()
  })
})

describe('A notifier that sends events', () => {
  it('has no method and no body, needs a secret of the right form, and keeps what was typed before', async () => {
    const { user } = await renderConsole({ path: '/dashboard/notification/create' })
    await enterText(user, await field('Name'), 'New')
    await enterText(user, await field('URL'), 'https://x.example.org/')
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Request method' }), 'POST')
    await enterText(user, await field(/^Request body/), 'hello')
    const sends = await screen.findByRole('switch', { name: 'Send events as JSON' })
    await user.click(sends)
    expect(screen.queryByRole('combobox', { name: 'Request method' })).toBeNull()
    expect(screen.queryByRole('textbox', { name: /^Request body/ })).toBeNull()
    await enterText(user, await screen.findByLabelText('Signing secret'), 'guessed')
    await user.click(button('Save'))
    expect(await screen.findByText('Must be whsec_ and 24 to 64 bytes in base64')).toBeTruthy()
    await user.click(button('Generate'))
    await waitFor(() => expect(screen.queryByText(/^Must be whsec_/)).toBeNull())
    await user.click(sends)
    expect(await field(/^Request body/)).toHaveProperty('value', 'hello')
  })
})
