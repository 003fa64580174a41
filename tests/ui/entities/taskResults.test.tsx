import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const records = {
  cron: [{ name: 'Back up', task_type: 1, command: 'x', cover: 1 }],
  server: [
    { name: 'web-1', uuid: 'a' },
    { name: 'web-2', uuid: 'b' },
  ],
}
const at = '2026-11-20T23:00:00Z'

async function openResults(reply: object) {
  const { user } = await renderConsole({
    path: '/dashboard/cron',
    records,
    prepare: (app) => alterReplies('wheelhouse/cron/1', () => reply)(app),
  })
  await user.click(await screen.findByRole('button', { name: 'Actions for Back up' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Results' }))
  return within(await screen.findByRole('dialog', { name: 'Results of “Back up”' }))
}

it('The results of a task name each server, what became of it, when and why, with the output', async () => {
  const dialog = await openResults({
    total: 700,
    results: [
      { server_id: 1, state: 'failed', at, reason: 'exit_code', exit_code: 3, output: 'no space left' },
      { server_id: 2, state: 'offline', at },
    ],
  })
  const [one, other] = await dialog.findAllByRole('listitem')
  await waitFor(() => expect(one?.textContent).toMatch(/^web-1Failed · .*2026.* · exit code 3no space left$/))
  expect(other?.textContent).toMatch(/^web-2Not run: the server was offline · /)
  dialog.getByText('The first 2 of 700 servers, failures first.')
})

it('A task that has not run yet says so', async () => {
  const dialog = await openResults({ total: 0, results: [] })
  await dialog.findByText('This task has not run yet.')
})
