import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { button, toasts } from '../../support/console/listPage.ts'
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
    await user.type(expression, 'CRON_TZ=Asia/Tokyo 0 0 6 * * MON-FRI')
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
    await user.type(await field('Cron expression'), '@daily')
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
    await user.type(await field('Cron expression'), '0 0 3 * * *')
    await screen.findByText('At 03:00')
    await screen.findByText('In the server’s time zone')
    // The settings did arrive: it is the zone that is missing, not the reply.
    expect(settingReplies[0]).toMatchObject({ success: true, data: { config: { language: 'en-US' } } })
    await screen.findByText('Server 1.2.3')
    expect(within(screen.getByRole('dialog')).queryByRole('list')).toBeNull()
  })

  it('uses the language of the user', async () => {
    const { user } = await renderConsole({ path: '/dashboard/cron/create', locale: 'de-DE' })
    await user.type(await field('Cron-Ausdruck'), '*/5 * * * * *')
    await screen.findByText('Alle 5 Sekunden')
  })

  it('shows the error of an expression while it is typed, and rejects it', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/cron/create' })
    await user.type(await field('Name'), 'Backup')
    await user.type(await field('Cron expression'), '0 3 * * *')
    await screen.findByText(/Needs 6 fields: .* Found: 5/)
    await user.click(button('Save'))
    await waitFor(() => expect(screen.getAllByText(/Needs 6 fields/)).toHaveLength(1))
    expect(storedRows('cron')).toEqual([])
  })

  it('hides the expression for triggered tasks, and the servers if the alert names one', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/cron/create' })
    await user.type(await field('Name'), 'Restart')
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Type' }), 'Trigger')
    expect(screen.queryByRole('textbox', { name: 'Cron expression' })).toBeNull()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Coverage' }), 'Only the alarmed server')
    expect(screen.queryByRole('combobox', { name: /Specific servers/ })).toBeNull()
    await user.click(button('Save'))
    await waitFor(() => expect(storedRows('cron')).toMatchObject([{ name: 'Restart', task_type: 1, cover: 2 }]))
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
  it('runs a task now, but not if only an alert can name the server', async () => {
    const { user, network } = await renderConsole({
      path: '/dashboard/cron',
      records: { cron: [trigger, { ...trigger, name: 'On alarm', cover: 2 }] },
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Restart' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Run now' }))
    await waitFor(() => expect(toasts().join()).toContain('The task triggered successfully'))
    expect(network.sent.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual(['cron/1/manual'])
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Actions for On alarm' }))
    await screen.findByRole('menuitem', { name: 'Delete' })
    expect(screen.queryByRole('menuitem', { name: 'Run now' })).toBeNull()
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
})
