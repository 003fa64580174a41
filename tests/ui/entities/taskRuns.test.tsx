import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const records = {
  cron: [{ name: 'Back up', task_type: 1, command: 'x', cover: 1 }],
  server: [
    { name: 'web-1', uuid: 'a' },
    { name: 'web-2', uuid: 'b' },
  ],
}
const started_at = '2026-11-20T23:00:00Z'
const run = { cron_id: 1, cron_name: 'Back up', cause: 'schedule', execution_id: 4, started_at }
const failed = {
  ...run,
  id: 5,
  server_id: 1,
  server_name: 'web-1',
  state: 'failed',
  ended_at: '2026-11-20T23:01:05Z',
  reason: 'exit_code',
  exit_code: 3,
  output_bytes: 13,
}
const offline = { ...run, id: 4, server_id: 2, server_name: 'web-2', state: 'offline', ended_at: started_at }
const earlier = { ...failed, id: 3, execution_id: 3, cause: 'manual', state: 'succeeded', reason: undefined }

/** A server whose task has these runs; of them, the output of the run 5 is known. */
function withRuns(value: readonly object[], total = value.length, output: object = { output: 'no space left' }) {
  return (app: Parameters<ReturnType<typeof alterReplies>>[0]) => {
    alterReplies('cron/1/runs', () => ({ value, pagination: { limit: 50, total } }))(app)
    alterReplies('wheelhouse/task-runs/5', () => ({ ...failed, ...output }))(app)
  }
}

const dialog = async () => within(await screen.findByRole('dialog', { name: 'Runs of “Back up”' }))

describe('The runs of a task', () => {
  it('open from its menu at an address of their own: state, reason and length of each, the latest first', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/cron',
      records,
      prepare: withRuns([failed, offline, earlier], 120),
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Back up' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Runs' }))
    const runs = await dialog()
    expect(window.location.pathname).toBe('/dashboard/cron/1/runs')
    const rows = await runs.findAllByRole('listitem')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'web-1Failed · exit code 3 · 1 min 5 s',
      'web-2Not run: the server was offline',
      'web-1Succeeded · 1 min 5 s',
    ])
    expect(runs.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/2026.*by schedule$/),
      expect.stringMatching(/2026.*started by hand$/),
    ])
    await user.click(runs.getByRole('button', { name: /^web-1 ?Failed/ }))
    expect((await runs.findByLabelText('Output')).textContent).toBe('no space left')
    await user.click(runs.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard/cron'))
  })

  it('open with the output of the run that a link names', async () => {
    await renderConsole({ path: '/dashboard/cron/1/runs?run=5', records, prepare: withRuns([failed, offline]) })
    expect((await (await dialog()).findByLabelText('Output')).textContent).toBe('no space left')
  })

  it('show the output as it comes while a command runs', async () => {
    let output = 'one'
    const going = { ...run, id: 5, server_id: 1, server_name: 'web-1', state: 'running' }
    await renderConsole({
      path: '/dashboard/cron/1/runs?run=5',
      records,
      prepare: (app) => {
        alterReplies('cron/1/runs', () => ({ value: [going], pagination: { limit: 50, total: 1 } }))(app)
        alterReplies('wheelhouse/task-runs/5', () => ({ ...going, output }))(app)
      },
    })
    const runs = await dialog()
    expect((await runs.findByLabelText('Output')).textContent).toBe('one')
    output = 'one two'
    await runs.findByText('one two')
  })

  it.each([
    [{ output: '' }, 'There is no output.'],
    [{ output: '', output_deleted: true }, 'The output was deleted to make room for later runs.'],
    [{ output: 'end', truncated: true }, 'The beginning of the output is missing: only its end is stored.'],
  ])('say what is missing of an output: %j', async (output, text) => {
    await renderConsole({ path: '/dashboard/cron/1/runs?run=5', records, prepare: withRuns([failed], 1, output) })
    await (await dialog()).findByText(text)
  })

  it('are asked for by state, and more of them on demand', async () => {
    const { user, network } = await renderConsole({
      path: '/dashboard/cron/1/runs',
      records,
      prepare: withRuns([failed], 120),
    })
    const runs = await dialog()
    await user.click(await runs.findByRole('button', { name: 'Show more: 1 of 120' }))
    await user.selectOptions(runs.getByRole('combobox', { name: 'State' }), 'Failed')
    await waitFor(() => expect(network.sent.at(-1)?.path).toContain('limit=100&state=failed'))
  })

  it('are none before the first one', async () => {
    await renderConsole({ path: '/dashboard/cron/1/runs', records })
    await (await dialog()).findByText('This task has not run yet.')
  })

  it('of a task that does not exist say so', async () => {
    await renderConsole({ path: '/dashboard/cron/9/runs', records })
    await screen.findByText('task id 9 does not exist')
  })

  it('are absent on a server that keeps none', async () => {
    const { user, network } = await renderConsole({
      path: '/dashboard/cron/1/runs',
      records,
      prepare: alterReplies('setting', (data) => ({ ...(data as object), wheelhouse: undefined })),
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Back up' }))
    await screen.findByRole('menuitem', { name: 'Run now' })
    expect(screen.queryByRole('menuitem', { name: 'Runs' })).toBeNull()
    expect(network.sent.filter(({ path }) => path.includes('runs'))).toEqual([])
  })
})
