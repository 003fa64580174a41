import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterSetting } from '../../support/console/alterSetting.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { receiver } from '../../support/fakes/receiver.ts'

const choose = async (locale?: 'de-DE') => {
  const page = await renderConsole({ path: '/dashboard/notification/create', ...(locale && { locale }) })
  await page.user.click(await screen.findByRole('button', { name: /Fill in for a service|Für einen Dienst/ }))
  return page
}

describe('The form of a notifier, filled in for a service', () => {
  it('asks what the service needs, fills in the request, and is saved only after that', async () => {
    const { origin, deliveries } = await receiver()
    const { user, storedRows } = await choose()
    await user.click(await screen.findByRole('button', { name: 'Gotify' }))
    const questions = await screen.findByRole('dialog', { name: 'Gotify' })
    await within(questions).findByText(/^Under Apps, create an application/)
    await user.click(within(questions).getByRole('button', { name: 'Fill in' }))
    expect(await within(questions).findAllByText('Required')).toHaveLength(2)
    await enterText(user, within(questions).getByLabelText('Address of the server'), `${origin}/`)
    await user.type(within(questions).getByLabelText('Token'), 'A.secret{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Gotify' })).toBeNull())
    expect(storedRows('notification')).toEqual([])
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Gotify')
    expect(screen.getByRole('textbox', { name: 'URL' })).toHaveProperty('value', `${origin}/message`)
    await user.click(button('Save'))
    await waitFor(() => expect(storedRows('notification')).toHaveLength(1))
    expect(deliveries).toMatchObject([{ method: 'POST', url: '/message', headers: { 'x-gotify-key': 'A.secret' } }])
    expect(JSON.parse(deliveries[0]?.body ?? '')).toEqual({ message: 'a test message', priority: 5 })
  })

  it('keeps a name that somebody has given, and speaks the language of the console', async () => {
    const { user } = await choose('de-DE')
    await user.click(await screen.findByRole('button', { name: 'Abbrechen' }))
    await enterText(user, await screen.findByRole('textbox', { name: 'Name' }), 'Bereitschaft')
    await user.click(button('Für einen Dienst ausfüllen …'))
    await user.click(await screen.findByRole('button', { name: 'Telegram' }))
    const questions = await screen.findByRole('dialog', { name: 'Telegram' })
    await within(questions).findByText(/^@BotFather legt einen Bot an/)
    await user.type(within(questions).getByLabelText('Token'), '1:a')
    await user.type(within(questions).getByLabelText('Chat-ID'), '7')
    await user.click(within(questions).getByRole('button', { name: 'Ausfüllen' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Telegram' })).toBeNull())
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Bereitschaft')
  })

  it('offers mail only where the server sends it', async () => {
    await choose()
    await screen.findByRole('button', { name: 'Mail (SMTP)' })
  })

  it('does not offer mail on other servers', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/notification/create',
      prepare: alterSetting({}, { wheelhouse: undefined }),
    })
    await user.click(await screen.findByRole('button', { name: 'Fill in for a service…' }))
    await screen.findByRole('button', { name: 'Slack' })
    expect(screen.queryByRole('button', { name: 'Mail (SMTP)' })).toBeNull()
  })
})
