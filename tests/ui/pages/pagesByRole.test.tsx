import { act, screen, waitFor, within } from '@testing-library/react'
import type { FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import { openAlarms } from '../../../server/alerts/alarms.ts'
import { openSnapshotTable } from '../../../server/inspect/snapshots/snapshotTable.ts'
import { namedPages, pages } from '../../../src/app/pages.tsx'
import { dialogRoot } from '../../../src/engine/define/page.tsx'
import { screensOf } from '../../../src/engine/screens.tsx'
import { resources } from '../../../src/resources/index.ts'
import type { RoleAssignment } from '../../../src/schemas/define/access.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { testServer } from '../../support/server/testServer.ts'

/** What a page offers on records of others; in the menu of a row as 'menu: …'. */
type Offers = readonly string[]

/**
 * Who may open a page, and what it offers on records of others.
 *
 * - `administrators`: nobody else opens it
 * - `own`: it is about what people have themselves
 * - `act`: nobody opens it without the right to act on the server
 * - offers to those who may act, and further ones to those who may configure; a viewer is offered nothing
 * - `elsewhere`: the test of a page that cannot be opened here
 */
type Place = 'administrators' | 'own' | 'act' | { elsewhere: string } | { act: Offers; configure?: Offers }

const lineOfTrouble = ['Acknowledge: db-1', 'Mute: db-1']
const server = {
  act: [...lineOfTrouble, 'Open a terminal on db-1', 'menu: Mute'],
  configure: ['Edit db-1', 'menu: Edit config'],
}
const service = { act: ['menu: Mute'] }
const incident = { act: ['menu: Acknowledge', 'menu: Add a note', 'menu: Resolve'] }

/** Every page of the console, by hand: what is in no row is a mistake. */
const places: Record<string, Place> = {
  '': server,
  'server/:id/overview': { ...server, act: [...server.act, 'Open the files of db-1'] },
  service: service,
  'service/:id/overview': service,
  cron: { act: ['menu: Run now', 'menu: Runs'] },
  incident: incident,
  'incident/:id/overview': { act: ['Acknowledge', ...incident.act] },
  alarm: { act: ['menu: Mute', 'menu: Snapshot'] },
  'server-group': 'own',
  'server-group/:id/overview': { act: lineOfTrouble },
  notification: 'own',
  'alert-rule': 'own',
  delivery: 'own',
  escalation: 'own',
  rota: 'own',
  'rota/:id/overview': 'own',
  'maintenance-window': 'own',
  mute: 'own',
  ddns: 'own',
  nat: 'own',
  'notification-group': 'own',
  'settings/user': 'administrators',
  'settings/online-user': 'administrators',
  'settings/waf': 'administrators',
  'settings/server-shares': 'administrators',
  'settings/audit': 'administrators',
  'terminal/:id': { elsewhere: 'tests/ui/pages/terminal.test.tsx' },
  'server/:id/inspect/:subject': 'act',
  // There is none without a question that was asked.
  'ask/:question': { elsewhere: 'tests/ui/entities/askServers.test.tsx' },
  // Nothing is recorded here.
  'terminals/recordings/:recording': { elsewhere: 'tests/server/sessions/terminalRecordings.test.ts' },
  profile: 'own',
  terminals: 'own',
  share: 'own',
  'recent-changes': 'own',
  'notification-setup': 'own',
  'server-group/costs': 'own',
  'cron/calendar': 'own',
  settings: 'administrators',
  'settings/configuration': 'administrators',
  'settings/import': 'administrators',
  'settings/security': 'administrators',
  'settings/cluster': 'administrators',
}

const everyPage = [
  ...resources.flatMap((entry) => [entry.path, ...(entry.overview ? [`${dialogRoot(entry)}/:id/overview`] : [])]),
  ...[...pages, ...namedPages].map(({ path }) => path),
]

/** What the administrator has; the alarm and the incident are of the server. */
const names = ['db-1', 'shop', 'clean up', 'rack', 'busy', 'db-1 CPU']
const owned = { user_id: 1 }
const records = {
  server: [{ name: 'db-1', hide_for_guest: true, ...owned }],
  service: [{ name: 'shop', type: 1, target: 'https://shop.example', cover: 1, skip_servers: { 1: true }, ...owned }],
  cron: [
    { name: 'clean up', task_type: 0, scheduler: '0 0 3 * * *', command: 'true', cover: 0, servers: [1], ...owned },
  ],
  'server-group': [{ name: 'rack', servers: [1], ...owned }],
}

/** A running alarm of the administrator's rule, with a snapshot. */
async function storeWithAlarm(started_at: number) {
  const { app, store } = await testServer()
  await app.close()
  const fail = (error: unknown) => {
    throw error
  }
  const alarm = { owner_id: 1, rule_version: '1', rule_id: 1, rule_name: 'busy', server_id: 1, server_name: 'db-1' }
  openAlarms(store, fail).open({ ...alarm, causes: [{ type: 'cpu', value: 97 }], started_at, notified: true })
  const snapshots = openSnapshotTable(store, { hasServer: () => true, now: () => started_at })
  snapshots.add({ server_id: 1, taken_at: started_at, alarm_ids: [1], data: '{"reason":"too old"}' })
  return store
}

function beginIncident(app: FastifyInstance, started_at: number): void {
  const about = { id: 1, server_id: 1, service_id: 0, rule_id: 1, owner_id: 1, host: '', rule_name: 'busy' }
  app.incidents.begin({ ...about, kind: 'alarm', name: 'db-1 CPU', is_gone: false, started_at })
}

/** Gives the member a role on the server, in one of the ways. */
function give({ auth: { roles, teams } }: FastifyInstance, role: RoleAssignment['role'], by: By): void {
  if (by === 'themselves') {
    roles.assign(2, [{ role, scope: { groups: [], servers: [1] } }])
    return
  }
  const values = { name: 'on call', users: by === 'another team' ? [] : [2], servers: [1] }
  const id = teams.create(values)
  teams.setRoles(id, [{ role, scope: 'team' }])
  if (by === 'a team that they left') teams.update(id, { ...values, users: [] })
  if (by === 'another team') teams.create({ ...values, name: 'theirs', users: [2] })
}

/** Fetches all screens: one that has to come is drawn later. */
const fetchScreens = () =>
  Promise.all([
    ...resources.map((entry) => screensOf(entry).Overview?.prepare()),
    ...namedPages.map((page) => page.prepare()),
    import('../../../src/resources/server/inspect/InspectPage.tsx'),
  ])

/** By what somebody has a role: it is theirs, or that of a team that they are, or were, in, or of another one. */
type By = 'themselves' | 'their team' | 'a team that they left' | 'another team'

/** The console of the member, who may have a role on the administrator's server; with `all`, of the administrator. */
async function openConsole(role: RoleAssignment['role'] | 'all' | undefined, by: By = 'themselves') {
  await fetchScreens()
  const started_at = Date.now() - 60_000
  const { settled, user } = await renderConsole({
    role: role === 'all' ? 'admin' : 'member',
    records,
    store: await storeWithAlarm(started_at),
    prepare(app) {
      beginIncident(app, started_at)
      if (role && role !== 'all') give(app, role, by)
    },
  })

  /** Follows a link there. */
  async function open(path: string): Promise<HTMLElement> {
    const address = `/dashboard/${path.replace(':id', '1').replace(':subject', 'processes')}`
    act(() => {
      window.history.pushState({ key: path }, '', address)
      window.dispatchEvent(new PopStateEvent('popstate', { state: { key: path } }))
    })
    await settled()
    return screen.findByRole('main')
  }

  async function menuItems(button: HTMLElement): Promise<string[]> {
    await user.click(button)
    const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => `menu: ${textContent}`)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull())
    return items
  }

  /** What can be done on a page with a record: menus of rows, and buttons that name it. */
  async function offersOf(main: HTMLElement, isOfRecord: boolean): Promise<string[]> {
    const offers: string[] = []
    for (const button of within(main).queryAllByRole('button', { name: /^Actions for / })) {
      offers.push(...(await menuItems(button)))
    }
    const named = [...main.querySelectorAll('button, a')]
      .map((element) => element.getAttribute('aria-label') ?? element.textContent ?? '')
      .filter((label) => !/^Actions for |^Copy /.test(label))
      .filter((label) => names.some((name) => label.endsWith(` ${name}`)) && !names.includes(label))
    const head = isOfRecord ? main.querySelectorAll('header button:not([aria-label])') : []
    const inHead = [...head].map(({ textContent }) => textContent)
    return [...new Set([...offers, ...named, ...inHead])].toSorted()
  }
  return { open, offersOf }
}

it('every page has a place: who may open it, and what it offers to whom', () => {
  expect(everyPage.filter((path) => !(path in places))).toEqual([])
  expect(Object.keys(places).filter((path) => !everyPage.includes(path))).toEqual([])
})

const closed = 'This page is for administrators only.'

const personas = [
  { name: 'a member without roles', role: undefined, mayAct: false, mayConfigure: false },
  { name: 'a viewer of the server', role: 'viewer', mayAct: false, mayConfigure: false },
  { name: 'an operator of the server', role: 'operator', mayAct: true, mayConfigure: false },
  { name: 'an administrator of the server', role: 'administrator', mayAct: true, mayConfigure: true },
  { name: 'a member of a team', role: 'operator', by: 'their team', mayAct: true, mayConfigure: false },
  { name: 'who left the team', role: 'operator', by: 'a team that they left', mayAct: false, mayConfigure: false },
  { name: 'a member of another team', role: 'operator', by: 'another team', mayAct: false, mayConfigure: false },
] as const

it.each(personas)('$name is offered on each page what the server lets them do, and nothing else', async (persona) => {
  const { role, mayAct, mayConfigure } = persona
  const { open, offersOf } = await openConsole(role, 'by' in persona ? persona.by : undefined)
  const found: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  for (const path of everyPage) {
    const place = places[path]
    if (place === undefined || (typeof place === 'object' && 'elsewhere' in place)) continue
    const main = await open(path)
    if (place === 'administrators') {
      await within(main).findByText(closed)
      continue
    }
    if (place === 'act') {
      await within(main).findByText(mayAct ? 'Processes' : 'There is no page at this address.')
      continue
    }
    expect(within(main).queryByText(closed), path).toBeNull()
    found[path] = await offersOf(main, path.includes(':id'))
    const { act, configure = [] } = place === 'own' ? { act: [] } : place
    expected[path] = [...(mayAct ? act : []), ...(mayConfigure ? configure : [])].toSorted()
  }
  expect(found).toEqual(expected)
})

it('an administrator opens every page', async () => {
  const { open } = await openConsole('all')
  // No page of this server on its own.
  const paths = everyPage.filter((path) => places[path] === 'administrators' && path !== 'settings/cluster')
  for (const path of paths) {
    expect(within(await open(path)).queryByText(closed), path).toBeNull()
  }
})
