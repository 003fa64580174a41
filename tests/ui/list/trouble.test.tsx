import { screen, waitFor, within } from '@testing-library/react'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { alterSetting } from '../../support/console/alterSetting.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const never = '0001-01-01T00:00:00Z'
const minutesAgo = (count: number) => new Date(Date.now() - count * 60_000).toISOString()

const server = (id: number, name: string, more = {}) => ({
  id,
  name,
  display_index: 100 - id,
  last_active: minutesAgo(0),
  ...more,
})
const servers = [
  server(1, 'web-1'),
  server(2, 'web-2'),
  server(3, 'mail-3'),
  server(4, 'db-4', { last_active: never }),
  server(5, 'db-5'),
]
const stored = { server: servers.map(({ name, display_index }) => ({ name, display_index })) }
const alarm = {
  id: 9,
  rule_id: 7,
  rule_name: 'CPU too high',
  server_id: 3,
  server_name: 'mail-3',
  causes: [{ type: 'cpu', value: 97, max: 90 }],
  started_at: minutesAgo(6),
}
const down = {
  service_name: 'shop',
  current_down: 9,
  state: 'down',
  down_since: minutesAgo(3),
  problem: 'connection refused',
}

function trouble(app: FastifyInstance) {
  alterReplies('server', () => servers)(app)
  alterReplies('service', () => ({ services: { 1: down } }))(app)
  alterReplies('wheelhouse/alarms', () => ({ value: [alarm], pagination: { limit: 1, total: 1 } }))(app)
}
function peace(app: FastifyInstance) {
  alterReplies('server', () => servers.filter(({ last_active }) => last_active !== never))(app)
}

/** The server db-4 is gone, and the server says so of its own. */
function goneForReal(app: FastifyInstance) {
  trouble(app)
  const about = { id: 0, server_id: 4, service_id: 0, rule_id: 0, owner_id: 1, host: '', rule_name: '' }
  app.incidents.begin({ ...about, kind: 'offline', name: 'db-4 is offline', is_gone: true, started_at: Date.now() })
}

const lines = async () =>
  within(await screen.findByRole('list', { name: 'What is wrong now' })).findAllByRole('listitem')
const names = () =>
  [...document.querySelectorAll<HTMLElement>('tbody tr[data-row] .name-link > span > span')].map((name) => name.title)

describe('The strip above the list of servers', () => {
  it('has a line for each thing that is wrong, the worst and newest first, with its cause and a link', async () => {
    await renderConsole({ prepare: trouble })
    await waitFor(async () => expect(await lines()).toHaveLength(3))
    const [service, offline, alarming] = await lines()
    expect(service?.textContent).toMatch(/^Downshopconnection refused for \d min/)
    expect(offline?.textContent).toContain('Offlinedb-4Not seen since the server started')
    expect(alarming?.textContent).toMatch(/^Alarmmail-3CPU use 97%, limit 90% for \d min/)
    expect(
      within(alarming as HTMLElement)
        .getByRole('link', { name: 'mail-3' })
        .getAttribute('href'),
    ).toBe('/dashboard/server/3/overview')
    expect(
      within(service as HTMLElement)
        .getByRole('link', { name: 'shop' })
        .getAttribute('href'),
    ).toBe('/dashboard/service/1/overview')
    expect(document.title).toMatch(/^\(3\) Servers/)
  })

  it('says of a server that has just gone offline no length of time', async () => {
    const prepare = (app: FastifyInstance) => {
      const seconds = Math.floor(Date.now() / 1000)
      const metrics = { host: { boot_time: seconds - 999 }, state: { uptime: 989 } }
      alterReplies('server', () => [server(4, 'db-4', { last_active: never, ...metrics }), server(5, 'db-5')])(app)
    }
    await renderConsole({ prepare })
    await waitFor(async () => expect((await lines())[0]?.textContent).toMatch(/^Offlinedb-4No reportsince /))
  })

  it('says of a server that is offline in its row for how long, once', async () => {
    const seconds = Math.floor(Date.now() / 1000)
    const metrics = { host: { boot_time: seconds - 999 }, state: { uptime: 379 } }
    const prepare = (app: FastifyInstance) =>
      alterReplies('server', () => [server(4, 'db-4', { last_active: never, ...metrics }), server(5, 'db-5')])(app)
    await renderConsole({ prepare })
    await waitFor(async () => expect((await lines())[0]?.textContent).toMatch(/^Offlinedb-4No report for 10 min/))
    const row = (await screen.findByText('Offline for 10 min')).closest('tr') as HTMLElement
    expect(within(row).queryByText(/^No report/)).toBeNull()
  })

  it('mutes what a line is about, and leaves it out from then on', async () => {
    const { user, storedRows } = await renderConsole({ records: stored, prepare: trouble })
    await user.click(await screen.findByRole('button', { name: 'Mute: db-4' }))
    const dialog = await screen.findByRole('dialog', { name: 'Mute db-4' })
    await user.click(within(dialog).getByRole('button', { name: 'Mute' }))
    await screen.findByRole('button', { name: '1 muted' })
    expect(storedRows('mute')).toMatchObject([{ server_id: 4, rule_id: 0, service_id: 0 }])
    expect(await lines()).toHaveLength(2)
    await user.click(screen.getByRole('button', { name: '1 muted' }))
    expect((await lines()).at(-1)?.textContent).toContain('db-4')
  })

  it('acknowledges what a line is about, with a note, and says who is on it since when', async () => {
    const { user, server } = await renderConsole({ records: stored, prepare: goneForReal })
    await user.click(await screen.findByRole('button', { name: 'Acknowledge: db-4' }))
    const dialog = await screen.findByRole('dialog', { name: /^Acknowledge .*db-4/ })
    await user.type(within(dialog).getByRole('textbox', { name: 'Note (optional)' }), 'driving there')
    await user.click(within(dialog).getByRole('button', { name: 'Acknowledge' }))
    const link = await screen.findByRole('link', { name: /^Acknowledged by admin since / })
    expect(link.getAttribute('href')).toBe('/dashboard/incident/1/overview')
    expect(screen.queryByRole('button', { name: 'Acknowledge: db-4' })).toBeNull()
    expect(server.app.incidents.get(1)).toMatchObject({
      state: 'acknowledged',
      entries: [{ kind: 'acknowledged', name: 'admin', text: 'driving there' }],
    })
  })

  it('says that a notifier did not deliver a message, leads to its deliveries, and is dismissed', async () => {
    const chat = { name: 'chat', undelivered_at: minutesAgo(5), undelivered_cause: '500 out of order' }
    const { user, storedRows } = await renderConsole({ records: { notification: [chat] }, prepare: peace })
    await waitFor(async () => expect(await lines()).toHaveLength(1))
    const [line] = await lines()
    expect(line?.textContent).toContain('Not deliveredchatA message was given up: 500 out of order')
    const link = within(line as HTMLElement).getByRole('link', { name: 'chat' })
    expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain(
      '/dashboard/delivery?filter={"notification_id":1}',
    )
    await user.click(screen.getByRole('button', { name: 'Dismiss: chat' }))
    expect(await screen.findByText('Nothing is wrong.')).toBeTruthy()
    expect(storedRows('notification')).toMatchObject([{ undelivered_at: '' }])
  })

  it('says how many alarms of a server are paused while it is offline', async () => {
    const busy = { kind: 'alarm', id: 1, server_id: 4, service_id: 0, rule_id: 7, name: 'db-4 CPU', role: 'cause' }
    const parts = [{ ...busy, started_at: minutesAgo(5), paused: true }]
    const incidents = [{ id: 1, title: 'db-4 CPU', state: 'open', started_at: minutesAgo(5), parts }]
    await renderConsole({
      prepare: (app) => {
        trouble(app)
        alterReplies('wheelhouse/incidents', () => ({ value: incidents, pagination: { limit: 1, total: 1 } }))(app)
      },
    })
    // Those that are open and those that are acknowledged are the same here.
    expect(await screen.findByText('Not seen since the server started · 2 alarms paused')).toBeTruthy()
  })

  it('has at most six lines, and opens the others', async () => {
    const many = Array.from({ length: 20 }, (_, at) => server(at + 1, `web-${at + 1}`, { last_active: never }))
    const { user } = await renderConsole({ prepare: alterReplies('server', () => many) })
    await waitFor(async () => expect(await lines()).toHaveLength(6))
    await user.click(screen.getByRole('button', { name: '+ 14 more' }))
    expect(await lines()).toHaveLength(20)
    await user.click(screen.getByRole('button', { name: 'Show fewer' }))
    expect(await lines()).toHaveLength(6)
  })

  it('is one quiet line while nothing is wrong', async () => {
    await renderConsole({ prepare: peace })
    expect(await screen.findByText('Nothing is wrong.')).toBeTruthy()
    expect(screen.queryByRole('list', { name: 'What is wrong now' })).toBeNull()
    expect(document.title).toMatch(/^Servers/)
  })

  it('in front of other servers has what they give: who is offline and which services are down', async () => {
    await renderConsole({
      prepare: (app) => {
        alterReplies('server', () => servers)(app)
        alterReplies('service', () => ({ services: { 1: { service_name: 'shop', current_down: 9 } } }))(app)
        alterSetting({}, { wheelhouse: undefined })(app)
      },
    })
    await waitFor(async () => expect(await lines()).toHaveLength(2))
    const texts = (await lines()).map(({ textContent }) => textContent)
    expect(texts[0]).toContain('Offlinedb-4')
    expect(texts[1]).toContain('DownshopIts checks fail')
    expect(screen.queryByRole('button', { name: /^Mute/ })).toBeNull()
  })
})

describe('The list of servers', () => {
  it('begins with trouble, and says the cause below the name; the others are in the order by hand', async () => {
    await renderConsole({ prepare: trouble })
    await waitFor(() => expect(names()).toEqual(['db-4', 'mail-3', 'web-1', 'web-2', 'db-5']))
    const row = document.querySelector('tr[data-row="3"]') as HTMLElement
    expect(await within(row).findByText(/^CPU use 97%, limit 90% for \d min$/)).toBeTruthy()
    expect(screen.getByRole('columnheader', { name: 'Status' }).getAttribute('aria-sort')).toBe('ascending')
  })

  it('stays in the order that a person chose instead', async () => {
    const { user } = await renderConsole({ prepare: trouble })
    await user.click(within(await screen.findByRole('columnheader', { name: 'Name' })).getByRole('button'))
    await waitFor(() => expect(names()).toEqual(['db-4', 'db-5', 'mail-3', 'web-1', 'web-2']))
    await user.click(screen.getByRole('link', { name: 'NAT traversal' }))
    await screen.findByRole('heading', { name: /NAT/ })
    await user.click(screen.getByRole('link', { name: 'Server' }))
    await waitFor(() => expect(names()).toEqual(['db-4', 'db-5', 'mail-3', 'web-1', 'web-2']))
  })

  it('says in all places that a disk is full, without a rule', async () => {
    const full = server(5, 'db-5', { host: { disk_total: 1000 }, state: { uptime: 60, disk_used: 985 } })
    const prepare = alterReplies('server', () => [server(1, 'web-1'), full])
    await renderConsole({ prepare })
    const [line] = await lines()
    expect(line?.textContent).toMatch(/^Disk fulldb-5Disk 99% full/)
    await waitFor(() => expect(names()).toEqual(['db-5', 'web-1']))
    const row = document.querySelector('tr[data-row="5"]') as HTMLElement
    expect(await within(row).findByText('Disk 99% full')).toBeTruthy()
    expect(document.title).toMatch(/^\(1\) Servers/)
  })

  it('moves a row by hand among those that are as well as it is', async () => {
    const { user, storedRows } = await renderConsole({ records: stored, prepare: trouble })
    await waitFor(() => expect(names()[0]).toBe('db-4'))
    ;(await screen.findByRole('link', { name: /^web-2/ })).focus()
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    // Behind db-5, and not only behind db-4, which is below it by hand and above it on screen.
    await waitFor(() => {
      const moved = storedRows('server').find(({ name }) => name === 'web-2')
      expect(moved?.display_index).toBeLessThan(95)
    })
  })
})

describe('The page of a server, and of a service', () => {
  it.each([
    // Of several alarms of one server, each says by its rule which one it is.
    ['server/3', /^AlarmCPU too highCPU use 97%, limit 90% for \d min/],
    ['service/1', /^Downconnection refused for \d min/],
  ])('%s has a banner with the words of the strip', async (path, words) => {
    const service = [{ name: 'shop', type: 3, target: 'a.example:1', cover: 0, skip_servers: {} }]
    const records = { ...stored, service }
    await renderConsole({ path: `/dashboard/${path}/overview`, records, prepare: trouble })
    await waitFor(async () => expect(await lines()).toHaveLength(1))
    expect((await lines())[0]?.textContent).toMatch(words)
  })

  it('has none while it is well', async () => {
    await renderConsole({ path: '/dashboard/server/1/overview', records: stored, prepare: trouble })
    await waitFor(() => expect(document.title).toMatch(/^\(3\) web-1/))
    expect(screen.queryByRole('list', { name: 'What is wrong now' })).toBeNull()
  })
})
