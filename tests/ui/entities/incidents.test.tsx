import { screen, waitFor, within } from '@testing-library/react'
import type { FastifyInstance } from 'fastify'
import { expect, it, vi } from 'vitest'
import { ApiError } from '../../../server/wire/apiCall.ts'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { exampleSnapshot } from '../../support/inspect/exampleSnapshot.ts'
import { catchErrors } from '../../support/journeys/consoleErrors.ts'

const part = { kind: 'alarm', id: 7, server_id: 1, service_id: 0, rule_id: 3, name: 'web-1 busy', role: 'cause' }
const incident = {
  id: 4,
  title: 'web-1 busy',
  state: 'acknowledged',
  started_at: '2026-11-20T10:00:00Z',
  acknowledged_by: 'ann',
  parts: [{ ...part, started_at: '2026-11-20T10:00:00Z', paused: true }],
  entries: [{ at: '2026-11-20T10:05:00Z', kind: 'note', name: 'ann', text: 'restarting it' }],
  notices: [
    {
      at: '2026-11-20T10:00:01Z',
      kind: 'opened',
      notification_group_id: 1,
      notification_group_name: 'On call',
      message: 'web-1 busy',
    },
  ],
}

it('the list of incidents is the first tab of Notification', async () => {
  await renderConsole({ path: '/dashboard/notification' })
  // It stands there as soon as the server has said that it has incidents.
  await screen.findByRole('link', { name: /^Incidents/ })
  const tabs = within(screen.getByRole('navigation', { name: 'Sections' })).getAllByRole('link')
  expect(tabs.slice(0, 3).map(({ textContent }) => textContent?.replace(/\d+$/, ''))).toEqual([
    'Incidents',
    'Notifiers',
    'Alert rules',
  ])
})

it('the list of incidents says who is on it', async () => {
  const prepare = alterReplies('wheelhouse/incidents', () => ({
    value: [incident],
    pagination: { limit: 10, total: 1 },
  }))
  await renderConsole({ path: '/dashboard/incident', prepare })
  expect(await screen.findByText('Acknowledged by ann')).toBeTruthy()
  // Once: the column of its own is there for those who choose it.
  expect(screen.queryByRole('columnheader', { name: 'Acknowledged by' })).toBeNull()
  expect(screen.getByRole('link', { name: 'web-1 busy' }).getAttribute('href')).toContain('/incident/4/overview')
})

it('the page of an incident says of an outage that it is down, and of an alarm that it is running', async () => {
  const { started_at } = incident
  const parts = [
    { ...part, started_at },
    { ...part, kind: 'outage', id: 8, service_id: 2, rule_id: 0, name: 'shop', started_at },
    { ...part, kind: 'certificate', id: 9, service_id: 2, rule_id: 0, name: 'shop TLS', started_at },
  ]
  await renderConsole({
    path: '/dashboard/incident/4/overview',
    prepare: alterReplies('wheelhouse/incidents/4', () => ({ ...incident, parts })),
  })
  const wrong = within(await screen.findByRole('region', { name: 'What went wrong' }))
  const entries = wrong.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(entries[0]).toMatch(/^still running, for \d/)
  expect(entries[1]).toMatch(/^\d.*, still down/)
  expect(entries[2]).not.toContain('still')
})

it('the page of an incident that cannot be read has the way back to the list', async () => {
  catchErrors()
  let isBroken = true
  const prepare = (app: FastifyInstance) => {
    const about = {
      id: 0,
      server_id: 0,
      service_id: 2,
      rule_id: 0,
      owner_id: 1,
      host: '',
      rule_name: '',
      is_gone: false,
    }
    app.incidents.begin({ ...about, kind: 'outage', name: 'shop', started_at: Date.now() })
    app.addHook('preHandler', async ({ url }) => {
      if (isBroken && url === '/api/v1/wheelhouse/incidents/1') throw new ApiError('database is locked')
    })
  }
  const { user } = await renderConsole({ path: '/dashboard/incident/1/overview', prepare })
  await screen.findByText('database is locked')
  const main = within(screen.getByRole('main'))
  expect(main.getByRole('link', { name: 'Incidents' }).getAttribute('href')).toBe('/dashboard/incident')
  isBroken = false
  await user.click(main.getByRole('button', { name: 'Retry' }))
  await screen.findByRole('heading', { level: 1, name: /shop/ })
})

it('an incident that is gone, or that this person may not see, has the page of unknown addresses', async () => {
  await renderConsole({ path: '/dashboard/incident/4/overview', role: 'member' })
  await screen.findByText('There is no page at this address.')
  screen.getByRole('link', { name: 'Back to Dashboard' })
})

it('the page of an incident has its parts, its diary and who was told', async () => {
  await renderConsole({
    path: '/dashboard/incident/4/overview',
    prepare: alterReplies('wheelhouse/incidents/4', () => incident),
  })
  const section = async (name: string) => within(await screen.findByRole('region', { name }))
  expect((await section('What went wrong')).getByText('web-1 busy')).toBeTruthy()
  expect((await section('What went wrong')).getByText('Paused')).toBeTruthy()
  expect((await section('Diary')).getByText('restarting it')).toBeTruthy()
  expect((await section('Who was told')).getByText('On call')).toBeTruthy()
})

it('the page of an incident shows which notifications arrived, and what happened in the hour before', async () => {
  const at = (time: string) => `2026-11-20T${time}:00Z`
  const lines = [
    { id: 3, at: at('09:50'), action: 'server.agent-version', target: 'server 1', detail: { name: 'web-1' } },
    { id: 2, at: at('09:45'), action: 'session.sign-in', username: 'bob', target: 'user 2' },
    { id: 1, at: at('09:40'), action: 'server.update', username: 'bob', target: 'server 1' },
  ]
  const run = { execution_id: 1, cron_id: 1, server_id: 1, server_name: 'web-1', cause: 'schedule', state: 'succeeded' }
  const runs = [
    { ...run, id: 2, cron_name: 'back up', started_at: at('09:30') },
    { ...run, id: 1, cron_name: 'clean up', started_at: at('08:30') },
  ]
  const delivery = {
    id: 9,
    at: at('10:00'),
    notification_name: 'Chat',
    message: 'web-1 busy',
    state: 2,
    incident_id: 4,
  }
  await renderConsole({
    path: '/dashboard/incident/4/overview',
    records: { server: [{ name: 'web-1' }] },
    prepare(app) {
      alterReplies('wheelhouse/incidents/4', () => incident)(app)
      alterReplies('wheelhouse/audit', () => ({ value: lines, pagination: { total: 3 } }))(app)
      alterReplies('wheelhouse/deliveries', () => ({ value: [delivery], pagination: { total: 1 } }))(app)
      alterReplies('server/1/runs', () => ({ value: runs, pagination: { total: 2 } }))(app)
    },
  })
  const section = async (name: string) => within(await screen.findByRole('region', { name }))
  expect(await (await section('Notifications sent')).findByText('Chat')).toBeTruthy()
  const before = await section('What changed in the hour before')
  expect(await before.findByText('Server: agent version changed')).toBeTruthy()
  expect(before.getByText('Session: signed in')).toBeTruthy()
  expect(await before.findByText('back up')).toBeTruthy()
  expect(before.queryByText('clean up')).toBeNull()
  expect(before.getAllByRole('listitem')).toHaveLength(3)
})

it('the page of an incident shows what the server said of itself when its alarm began', async () => {
  await renderConsole({
    path: '/dashboard/incident/4/overview',
    prepare(app) {
      alterReplies('wheelhouse/incidents/4', () => incident)(app)
      alterReplies('wheelhouse/alarms/7/snapshot', () => exampleSnapshot)(app)
    },
  })
  const snapshot = within(await screen.findByRole('region', { name: /^Snapshot of web-1 busy/ }))
  expect(snapshot.getByText('backup.service')).toBeTruthy()
})

it('the page of an incident that has become part of another one is the page of that', async () => {
  await renderConsole({
    path: '/dashboard/incident/7/overview',
    prepare(app) {
      alterReplies('wheelhouse/incidents/7', () => ({ ...incident, id: 7, merged_into: 4 }))(app)
      alterReplies('wheelhouse/incidents/4', () => incident)(app)
    },
  })
  await vi.waitFor(() => expect(window.location.pathname).toBe('/dashboard/incident/4/overview'))
  expect(await screen.findByRole('heading', { name: 'web-1 busy' })).toBeTruthy()
})

function begin(app: FastifyInstance) {
  const about = { id: 0, server_id: 1, service_id: 0, rule_id: 0, owner_id: 1, host: '', rule_name: '' }
  app.incidents.begin({ ...about, kind: 'offline', name: 'web-1 is offline', is_gone: true, started_at: Date.now() })
}
const records = { server: [{ name: 'web-1' }] }

it('the command palette acknowledges an incident that is open', async () => {
  const { user, server } = await renderConsole({ path: '/dashboard/cron', records, prepare: begin })
  await screen.findByRole('heading', { name: /^Tasks/ })
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: /^Go to a screen/ }), 'ackn web')
  await user.click(await screen.findByRole('option', { name: /^Acknowledge: web-1 is offline/ }))
  await screen.findByRole('dialog', { name: 'Acknowledge web-1 is offline' })
  await user.keyboard('on my way{Control>}{Enter}{/Control}')
  await vi.waitFor(() =>
    expect(server.app.incidents.get(1)).toMatchObject({ state: 'acknowledged', entries: [{ text: 'on my way' }] }),
  )
  expect(await screen.findByText('Acknowledged by admin')).toBeTruthy()
})

it('the page of an open incident acknowledges it in place', async () => {
  const { user } = await renderConsole({ path: '/dashboard/incident/1/overview', records, prepare: begin })
  await user.click(await screen.findByRole('button', { name: 'Acknowledge' }))
  const dialog = await screen.findByRole('dialog', { name: 'Acknowledge web-1 is offline' })
  expect(window.location.pathname).toBe('/dashboard/incident/1/overview')
  await user.click(within(dialog).getByRole('button', { name: 'Acknowledge' }))
  expect(await screen.findByText('Acknowledged by admin')).toBeTruthy()
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Acknowledge' })).toBeNull())
})

it('a note without an answer can be left, and its late answer leaves another note open', async () => {
  const answer = Promise.withResolvers<void>()
  const { user } = await renderConsole({
    path: '/dashboard/incident',
    prepare: (app) => {
      alterReplies('wheelhouse/incidents', () => ({ value: [incident], pagination: { limit: 10, total: 1 } }))(app)
      app.addHook('preHandler', async ({ url }, reply) => {
        if (!url.endsWith('/note')) return
        await answer.promise
        return reply.send({ success: true })
      })
    },
  })
  const write = async (text: string) => {
    await user.click(await screen.findByRole('button', { name: 'Actions for web-1 busy' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Add a note' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(await dialog.findByRole('textbox'), text)
    return dialog
  }
  const first = await write('restarted')
  await user.click(first.getByRole('button', { name: 'Save' }))
  const cancel = first.getByRole('button', { name: 'Cancel' })
  expect(cancel).toHaveProperty('disabled', true)
  await waitFor(() => expect(cancel).toHaveProperty('disabled', false))
  await user.click(cancel)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const second = await write('again')
  answer.resolve()
  await waitFor(() => expect(toasts().join()).toContain('Note added'))
  expect(second.getByRole('textbox')).toHaveProperty('value', 'again')
})
