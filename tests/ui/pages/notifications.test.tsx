import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { enterText } from '../../support/console/enterText.ts'
import { chooseInView, toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const groups = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `Group ${index + 1}`, servers: [] }))

async function openGroups() {
  const { user } = await renderConsole({
    path: '/dashboard/server-group',
    records: { 'server-group': groups(2) },
  })
  await screen.findByText('Group 1')
  return user
}

describe('A notification', () => {
  it('goes with the page on which it came', async () => {
    const user = await openGroups()
    await chooseInView(user, 'Delete selected')
    await waitFor(() => expect(toasts().join()).toContain('No rows are selected'))
    await user.click(screen.getByRole('link', { name: 'Notifier groups' }))
    await screen.findByRole('heading', { name: /Notifier groups/ })
    await waitFor(() => expect(toasts()).toEqual([]))
  })

  it('stays while a dialog of its page opens and closes', async () => {
    const user = await openGroups()
    await chooseInView(user, 'Delete selected')
    await waitFor(() => expect(toasts().join()).toContain('No rows are selected'))
    await user.click(screen.getByRole('link', { name: 'Create' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(toasts().join()).toContain('No rows are selected')
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(toasts().join()).toContain('No rows are selected')
  })

  it('of a failed save goes with its dialog, and is not beside the success of the next try', async () => {
    let fails = true
    const { user } = await renderConsole({
      path: '/dashboard/server-group/create',
      prepare: (app) =>
        app.addHook('preHandler', async ({ method, url }) => {
          if (fails && method === 'POST' && url.includes('server-group')) throw new Error('no luck today')
        }),
    })
    const dialog = within(await screen.findByRole('dialog'))
    await enterText(user, await dialog.findByRole('textbox', { name: 'Name' }), 'Frankfurt')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toasts().join()).toMatch(/^Error/))
    fails = false
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toasts()).toEqual(['Created: “Frankfurt”']))
  })
})
