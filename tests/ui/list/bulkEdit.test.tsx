import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chooseInView } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const task = { task_type: 0, command: 'true', scheduler: '0 0 3 * * *', cover: 1, servers: [] }
const names = Array.from({ length: 6 }, (_, index) => `job ${index + 1}`)

describe('A bulk edit that is stopped while a server does not answer', () => {
  /** Changes six tasks at a server that answers no call that `hangs` names. */
  async function change(hangs: (call: string) => boolean) {
    let isHanging = false
    const { promise: answer, resolve } = Promise.withResolvers<void>()
    const rendered = await renderConsole({
      path: '/dashboard/cron',
      records: { cron: names.map((name) => ({ ...task, name })) },
      prepare: (app) =>
        void app.addHook('onRequest', async ({ method, url }) => {
          if (isHanging && hangs(`${method} ${url}`)) await answer
        }),
    })
    // Before the test waits for calls under way.
    onTestFinished(() => resolve())
    const { user } = rendered
    await screen.findByText('job 6')
    await user.click(await screen.findByRole('checkbox', { name: 'Select all rows on this page' }))
    await screen.findByText('6 selected')
    await chooseInView(user, 'Edit…')
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit 6 tasks' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Send success notification' }))
    await user.click(await dialog.findByRole('switch', { name: 'Send success notification' }))
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    const run = await dialog.findByRole('button', { name: 'Change 6 tasks' })
    isHanging = true
    await user.click(run)
    const stop = await dialog.findByRole('button', { name: 'Stop' })
    return { ...rendered, dialog, stop }
  }
  const captions = () => [...document.querySelectorAll('caption')].map(({ textContent }) => textContent)

  it('says at once of which records the outcome is unknown', async () => {
    const { user, network, dialog, stop } = await change((call) => call.startsWith('PATCH'))
    const patches = () => network.sent.filter(({ method }) => method === 'PATCH')
    await waitFor(() => expect(patches()).toHaveLength(4))
    await user.click(stop)
    await dialog.findByText(/2 not changed\.$/)
    expect(captions()).toEqual(['Outcome unknown: 4', 'Not sent: 2'])
    expect(dialog.getAllByText('Sent, but the server has not answered yet. It may still happen.')).toHaveLength(4)
    expect(patches()).toHaveLength(4)
  })

  it('has sent nothing where the records could not be read', async () => {
    const { user, network, dialog, stop } = await change((call) => call === 'GET /api/v1/cron')
    await user.click(stop)
    await dialog.findByText(/6 not changed\.$/)
    expect(captions()).toEqual(['Not sent: 6'])
    expect(network.sent.filter(({ method }) => method === 'PATCH')).toEqual([])
  })
})
