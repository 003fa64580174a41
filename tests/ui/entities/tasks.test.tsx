import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { formatDateTime } from '../../../src/components/format/format.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button, columnTexts, toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const field = (name: RegExp | string) => screen.findByRole('textbox', { name })
const preview = async () => within(await screen.findByRole('dialog')).findByRole('list')

const trigger = { name: 'Restart', task_type: 1, command: 'systemctl restart nginx', cover: 0 }

describe('The form of a task', () => {
  it('describes the expression and its next five runs in its own time zone while it is typed', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T00:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    const { user } = await renderConsole({ path: '/dashboard/cron/create' })
    const expression = await field('Cron expression')
    await enterText(user, expression, 'CRON_TZ=Asia/Tokyo 0 0 6 * * MON-')
    await user.type(expression, 'FRI')
    await screen.findByText('At 06:00, Monday through Friday')
    await screen.findByText('Next runs, local time in Asia/Tokyo')
    const runs = within(await preview()).getAllByRole('listitem')
    expect(runs.map((run) => run.textContent)).toEqual([
      'Mon, Nov 23, 2026, 06:00:00',
      'Tue, Nov 24, 2026, 06:00:00',
      'Wed, Nov 25, 2026, 06:00:00',
      'Thu, Nov 26, 2026, 06:00:00',
      'Fri, Nov 27, 2026, 06:00:00',
    ])
  })

  it("uses the server's time zone if the expression names none", async () => {
    const { user } = await renderConsole({ path: '/dashboard/cron/create' })
    await enterText(user, await field('Cron expression'), '@daily')
    await screen.findByText(`Next runs, local time in ${Intl.DateTimeFormat().resolvedOptions().timeZone}`)
  })

  it('shows no run times for a server that does not send its time zone', async () => {
    const settingReplies: unknown[] = []
    const { user } = await renderConsole({
      path: '/dashboard/cron/create',
      prepare: (app) => {
        app.addHook('onSend', async ({ url }, _reply, payload) => {
          if (url !== '/api/v1/setting') return payload
          const reply = JSON.parse(String(payload))
          delete reply.data.wheelhouse
          settingReplies.push(reply)
          return JSON.stringify(reply)
        })
      },
    })
    await enterText(user, await field('Cron expression'), '0 0 3 * * *')
    await screen.findByText('At 03:00')
    await screen.findByText('In the server’s time zone')
    // The settings did arrive: it is the zone that is missing, not the reply.
    expect(settingReplies[0]).toMatchObject({ success: true, data: { config: { language: 'en-US' } } })
    await screen.findByText('Server 1.2.3')
    expect(within(screen.getByRole('dialog')).queryByRole('list')).toBeNull()
  })

  it('uses the language of the user', async () => {
    const { user } = await renderConsole({ path: '/dashboard/cron/create', locale: 'de-DE' })
    await enterText(user, await field('Cron-Ausdruck'), '*/5 * * * * *')
    await screen.findByText('Alle 5 Sekunden')
  })

  it('shows the error of an expression while it is typed, and rejects it', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/cron/create' })
    await enterText(user, await field('Name'), 'Backup')
    await enterText(user, await field('Cron expression'), '0 3 * *')
    await user.type(await field('Cron expression'), ' *')
    await screen.findByText(/Needs 6 fields: .* Found: 5/)
    await user.click(button('Save'))
    await waitFor(() => expect(screen.getAllByText(/Needs 6 fields/)).toHaveLength(1))
    expect(storedRows('cron')).toEqual([])
  })

  it('hides the expression for triggered tasks, and the servers if the alert names one', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/cron/create' })
    await enterText(user, await field('Name'), 'Restart')
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Type' }), 'Trigger')
    expect(screen.queryByRole('textbox', { name: 'Cron expression' })).toBeNull()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Coverage' }), 'Only the alarmed server')
    expect(screen.queryByRole('combobox', { name: /Specific servers/ })).toBeNull()
    await user.click(button('Save'))
    await waitFor(() => expect(storedRows('cron')).toMatchObject([{ name: 'Restart', task_type: 1, cover: 2 }]))
  })

  it('warns of a task without a command or without servers, and saves it all the same', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/cron/create',
      records: { server: [{ name: 'web-1' }] },
    })
    const noCommand = 'There is no command: the task does nothing.'
    const noServers = 'No server is selected: the task runs nowhere.'
    const name = await field('Name')
    expect(screen.queryByText(noCommand)).toBeNull()
    await enterText(user, name, 'Idle')
    await screen.findByText(noCommand)
    await screen.findByText(noServers)
    await enterText(user, await field(/^Command/), 'uptime')
    await waitFor(() => expect(screen.queryByText(noCommand)).toBeNull())
    await user.click(screen.getByRole('combobox', { name: /^Specific servers/ }))
    await user.click(await screen.findByRole('option', { name: /web-1/ }))
    await waitFor(() => expect(screen.queryByText(noServers)).toBeNull())
    await user.keyboard('{Backspace}')
    await screen.findByText(noServers)
    await user.clear(await field(/^Command/))
    await enterText(user, await field('Cron expression'), '@daily')
    await user.click(button('Save'))
    await waitFor(() => expect(storedRows('cron')).toMatchObject([{ name: 'Idle' }]))
  })

  it('saves no schedule and no servers of a task that needs neither, and brings them back before that', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/cron/1',
      records: {
        server: [{ name: 'web-1' }],
        cron: [{ name: 'Nightly', command: 'x', task_type: 0, scheduler: '@daily', cover: 0, servers: [1] }],
      },
    })
    const type = await screen.findByRole('combobox', { name: 'Type' })
    const coverage = screen.getByRole('combobox', { name: 'Coverage' })
    await user.type(await field('Cron expression'), '{Control>}a{/Control}@weekly')
    await user.selectOptions(type, 'Trigger')
    await user.selectOptions(coverage, 'Only the alarmed server')
    await screen.findByText(/^Cleared when you save.*: Cron expression, Specific servers$/)
    await user.selectOptions(type, 'Scheduled')
    await user.selectOptions(coverage, 'Only specific')
    expect(await field('Cron expression')).toHaveProperty('value', '@weekly')
    expect(screen.queryByText(/^Cleared when you save/)).toBeNull()
    await user.selectOptions(type, 'Trigger')
    await user.selectOptions(coverage, 'Only the alarmed server')
    await user.click(button('Save'))
    await waitFor(() =>
      expect(storedRows('cron')).toMatchObject([{ task_type: 1, cover: 2, scheduler: '', command: 'x' }]),
    )
    expect(storedRows('cron')[0]?.servers ?? []).toEqual([])
  })

  it('rejects a scheduled task that runs on the server of an alert', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/cron/1',
      records: { cron: [{ ...trigger, cover: 2, scheduler: '@daily' }] },
    })
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Type' }), 'Scheduled')
    await user.click(button('Save'))
    await screen.findByText(/Scheduled tasks cannot be triggered by alarms/)
    expect(storedRows('cron')).toMatchObject([{ task_type: 1 }])
  })
})

describe('The list of tasks', () => {
  it('shows when each runs next, right after how it went last', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T00:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    const daily = { task_type: 0, command: 'true', cover: 0, servers: [] }
    await renderConsole({
      path: '/dashboard/cron',
      records: {
        cron: [
          { ...daily, name: 'Back up', scheduler: 'CRON_TZ=UTC 0 30 3 * * *' },
          { ...daily, name: 'Look', scheduler: '@every 5m' },
          trigger,
        ],
      },
    })
    await screen.findByText('Back up')
    const headings = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    expect(headings.slice(2, 6)).toEqual(['Name', 'Result', 'Last execution', 'Next run'])
    const next = formatDateTime(Date.parse('2026-11-21T03:30:00Z'), 'en-US', 'short')
    await waitFor(() => expect(columnTexts(5)).toEqual([next, 'within 5 min', '']))
  })

  it('runs a task now, but not if only an alert can name the server', async () => {
    const { user, network } = await renderConsole({
      path: '/dashboard/cron',
      records: { cron: [trigger, { ...trigger, name: 'On alarm', cover: 2 }] },
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Restart' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Run now' }))
    await waitFor(() => expect(toasts().join()).toContain('Nothing was started: the task has no servers.'))
    expect(network.sent.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual(['cron/1/manual'])
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Actions for On alarm' }))
    await screen.findByRole('menuitem', { name: 'Delete' })
    expect(screen.queryByRole('menuitem', { name: 'Run now' })).toBeNull()
  })

  it('runs a task once, however often it is pressed while the server does not answer, and says that it does not', async () => {
    const answer = Promise.withResolvers<void>()
    const { user, network } = await renderConsole({
      path: '/dashboard/cron',
      records: { cron: [trigger] },
      prepare: (app) =>
        void app.addHook('preHandler', async ({ url }) => {
          if (url.endsWith('/manual')) await answer.promise
        }),
    })
    for (let press = 1; press <= 2; press++) {
      await user.click(await screen.findByRole('button', { name: 'Actions for Restart' }))
      await user.click(await screen.findByRole('menuitem', { name: 'Run now' }))
      await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    }
    await waitFor(() => expect(toasts().join()).toContain('Sent, but the server has not answered yet.'))
    answer.resolve()
    await waitFor(() => expect(toasts().join()).toContain('Nothing was started: the task has no servers.'))
    expect(network.sent.filter(({ path }) => path === 'cron/1/manual')).toHaveLength(1)
  })

  it('lets a question be left when there is no answer, deletes once, and tells of the answer', async () => {
    const answer = Promise.withResolvers<void>()
    const { user, network } = await renderConsole({
      path: '/dashboard/cron',
      records: { cron: [trigger] },
      prepare: (app) =>
        void app.addHook('preHandler', async ({ url }) => {
          if (url.endsWith('/batch-delete/cron')) await answer.promise
        }),
    })
    const askToDelete = async () => {
      await user.click(await screen.findByRole('button', { name: 'Actions for Restart' }))
      await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
      const question = within(await screen.findByRole('alertdialog'))
      await user.click(question.getByRole('button', { name: /^Delete/ }))
      return question
    }
    const question = await askToDelete()
    const cancel = question.getByRole('button', { name: 'Cancel' })
    expect(cancel).toHaveProperty('disabled', true)
    await waitFor(() => expect(cancel).toHaveProperty('disabled', false))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await askToDelete()
    answer.resolve()
    await waitFor(() => expect(toasts().join()).toContain('Deleted: “Restart”'))
    expect(network.sent.filter(({ path }) => path === 'batch-delete/cron')).toHaveLength(1)
  })

  it('can ask about another task meanwhile, and goes on asking when the answer comes', async () => {
    const answer = Promise.withResolvers<void>()
    const { user } = await renderConsole({
      path: '/dashboard/cron',
      records: { cron: [trigger, { ...trigger, name: 'Look' }] },
      prepare: (app) =>
        void app.addHook('preHandler', async ({ url }) => {
          if (url.endsWith('/manual')) await answer.promise
        }),
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Restart' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Run now' }))
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Actions for Look' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const question = within(await screen.findByRole('alertdialog'))
    expect(question.getByRole('button', { name: 'Cancel' })).toHaveProperty('disabled', false)
    answer.resolve()
    await waitFor(() => expect(toasts().join()).toContain('Nothing was started: the task has no servers.'))
    await user.click(question.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })

  it.each([
    [{ started: 3, offline: 1 }, 'Started on 3 servers, 1 offline Show runs'],
    [{ started: 1, offline: 0 }, 'Started on 1 server Show runs'],
    [{ started: 0, offline: 2 }, 'Nothing was started: 2 servers are offline Show runs'],
    [{ started: 0, offline: 0 }, 'Nothing was started: the task has no servers.'],
    [undefined, 'Sent. This server does not say where the task runs: its result will be in the list.'],
  ])('says of a task that is run now what was started and where: %j', async (data, text) => {
    const { user } = await renderConsole({
      path: '/dashboard/cron',
      records: { server: [{ name: 'web-1' }], cron: [{ ...trigger, servers: [1] }] },
      prepare: (app) =>
        void app.addHook('onSend', async ({ url }, _reply, payload) =>
          url.endsWith('/manual') ? JSON.stringify({ success: true, data }) : payload,
        ),
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Restart' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Run now' }))
    await waitFor(() => expect(toasts().join()).toContain(text))
    if (!text.endsWith('Show runs')) return
    await user.click(screen.getByRole('link', { name: 'Show runs' }))
    await screen.findByRole('dialog', { name: 'Runs of “Restart”' })
  })

  it('says of a task without command that it did nothing', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/cron',
      records: { server: [{ name: 'web-1' }], cron: [{ ...trigger, command: '', cover: 1 }] },
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Restart' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Run now' }))
    await waitFor(() => expect(toasts().join()).toContain('The task has no command, so it did nothing.'))
  })

  it('shows the result of the last run, and nothing for a task that never ran', async () => {
    const ran = { ...trigger, last_executed_at: '2026-11-21T00:00:00Z' }
    await renderConsole({
      path: '/dashboard/cron',
      records: { cron: [{ ...ran, last_result: true }, { ...ran, last_result: false }, trigger] },
    })
    await screen.findByText('Never')
    expect(screen.getAllByText('Succeeded')).toHaveLength(1)
    expect(screen.getAllByText('Failed')).toHaveLength(1)
  })

  it('leads from the result of the last run to the runs', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/cron?order=DESC&sort=name',
      records: { cron: [{ ...trigger, last_executed_at: '2026-11-21T00:00:00Z', last_result: false }] },
    })
    await user.click(await screen.findByRole('link', { name: 'Failed' }))
    const dialog = await screen.findByRole('dialog', { name: 'Runs of “Restart”' })
    expect(window.location.pathname).toBe('/dashboard/cron/1/runs')
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard/cron'))
    expect(window.location.search).toContain('order=DESC')
  })

  it('leads nowhere from the result on a server that keeps no runs', async () => {
    await renderConsole({
      path: '/dashboard/cron',
      records: { cron: [{ ...trigger, last_executed_at: '2026-11-21T00:00:00Z', last_result: false }] },
      prepare: (app) =>
        void app.addHook('onSend', async ({ url }, _reply, payload) => {
          if (url !== '/api/v1/setting') return payload
          const reply = JSON.parse(String(payload))
          delete reply.data.wheelhouse
          return JSON.stringify(reply)
        }),
    })
    await screen.findByText('Server 1.2.3')
    await screen.findByText('Failed')
    expect(screen.queryByRole('link', { name: 'Failed' })).toBeNull()
  })
})
