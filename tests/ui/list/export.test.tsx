import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Locale } from '../../../i18n/locales.ts'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { exportedRows } from '../../support/console/exportedFile.ts'
import { type RenderOptions, renderConsole } from '../../support/console/renderConsole.tsx'
import { definitions } from '../../support/definitions.ts'

const GiB = 1024 ** 3
const online = {
  name: '=web-1',
  uuid: 'u-1',
  note: 'rack 4',
  public_note: '',
  hide_for_guest: true,
  geoip: { ip: { ipv4_addr: '192.0.2.1' }, country_code: 'de' },
  host: { platform: 'debian', platform_version: '12.5', version: '1.10.0', mem_total: 8 * GiB, disk_total: 100 * GiB },
  state: { cpu: 41.6, mem_used: 2 * GiB, disk_used: 93 * GiB, net_out_speed: 2048, net_in_speed: 512, uptime: 90 },
  last_active: '2026-11-21T08:00:00Z',
}
const twoServers = alterReplies('server', () => [
  { id: 1, ...online },
  { id: 2, name: 'new', uuid: 'u-2', last_active: '0001-01-01T00:00:00Z' },
])

/** As if a person had chosen to see these columns. */
const showColumns = (list: string, columns: readonly string[]) =>
  localStorage.setItem(
    `wheelhouse.choices.table.${list}.columns`,
    JSON.stringify(Object.fromEntries(columns.map((column) => [column, true]))),
  )

/** The cells of the file by their headings, one object for each record. */
async function exported(options: RenderOptions, shown: string) {
  const { user } = await renderConsole(options)
  await screen.findByText(shown)
  const [headings = [], ...rows] = await exportedRows(user)
  return rows.map((row) => Object.fromEntries(headings.map((heading, index) => [heading, row[index]])))
}

const list = (path: string, reply: string, rows: readonly object[]): RenderOptions => ({
  path: `/dashboard/${path}`,
  prepare: alterReplies(reply, () => rows),
})

const page = (path: string, reply: string, rows: readonly object[]): RenderOptions => ({
  path: `/dashboard/${path}`,
  prepare: alterReplies(reply, () => ({ value: rows, pagination: { limit: 10, total: rows.length } })),
})

describe('An exported list of servers', () => {
  it('has what the screen shows of a machine that is online, with units in the headings', async () => {
    showColumns('server', ['country', 'host.version', 'enable_ddns', 'hide_for_guest', 'note', 'uuid'])
    // The one that is offline comes first.
    const [fresh, web] = await exported(
      { prepare: twoServers, records: { 'server-group': [{ name: 'Edge', servers: [1] }] } },
      '=web-1',
    )
    expect(web).toEqual({
      ID: '1',
      Name: "'=web-1",
      Platform: 'debian 12.5',
      Status: 'Online',
      'CPU (%)': '42',
      'Memory (%)': '25',
      'Disk (%)': '93',
      'Sent (KiB/s)': '2.0',
      'Received (KiB/s)': '0.5',
      Group: 'Edge',
      IP: '192.0.2.1',
      Country: 'Germany',
      Version: '1.10.0',
      'Last seen': '2026-11-21T08:00:00Z',
      'DDNS enabled': 'false',
      'Hide for guest': 'true',
      'Private note': 'rack 4',
      'Public note': '',
      UUID: 'u-1',
    })
    expect(fresh).toMatchObject({ Status: 'Offline', 'CPU (%)': '', 'Last seen': 'Unknown', Version: 'Unknown' })
    expect(fresh).toMatchObject({ 'DDNS enabled': 'false', 'Hide for guest': 'false' })
  })

  it.each<[Locale, Record<string, string>]>([
    ['it', { Stato: 'Online', 'Memoria (%)': '25', 'Inviati (KiB/s)': '2.0', Paese: 'Germania' }],
    ['zh-CN', { 状态: '在线', '内存 (%)': '25', '发送 (KiB/s)': '2.0', '国家/地区': '德国' }],
    ['zh-TW', { 狀態: '線上', '記憶體 (%)': '25', '傳送 (KiB/s)': '2.0', '國家/地區': '德國' }],
    ['de-DE', { Status: 'Online', 'RAM (%)': '25', 'Gesendet (KiB/s)': '2.0', Land: 'Deutschland' }],
  ])('speaks %s', async (locale, cells) => {
    showColumns('server', ['country'])
    expect((await exported({ prepare: twoServers, locale }, '=web-1'))[1]).toMatchObject(cells)
  })
})

describe('An exported list', () => {
  it.each(definitions.map((resource) => [resource.entity.name, resource] as const))(
    'of %s says something for every column that shows no field',
    (_, { columns }) => {
      const silent = columns.filter(({ derived, text, file }) => derived && !text && !file)
      expect(silent.map(({ source }) => source)).toEqual([])
    },
  )

  it('of services has their status, availability and latency', async () => {
    const overview = {
      1: { current_up: 9, current_down: 1, total_up: 999, total_down: 1, delay: [12.345], state: 'down' },
    }
    const options: RenderOptions = {
      path: '/dashboard/service',
      records: { service: [{ name: 'Shop', target: 'https://example.com', type: 1, duration: 60 }] },
      prepare: alterReplies('service', () => ({ services: overview })),
    }
    expect((await exported(options, 'Shop'))[0]).toMatchObject({
      Status: 'Down',
      'Availability, last 30 days (%)': '99.9',
      'Latency (ms)': '12.35',
      Type: 'HTTP GET',
      'Interval (s)': '60',
      'Failure notification': 'false',
    })
  })

  it('of alarms has their status, their causes in words, and the duration in seconds', async () => {
    const fired = { rule_id: 3, rule_name: 'busy', server_id: 1, server_name: 'web-1' }
    const [running, away] = await exported(
      page('alarm', 'wheelhouse/alarms', [
        { ...fired, id: 9, started_at: '2026-11-20T10:00:00Z', causes: [{ type: 'cpu', value: 90.4, max: 90 }] },
        {
          ...fired,
          id: 8,
          rule_name: 'away',
          causes: [{ type: 'offline' }],
          notified: true,
          started_at: '2026-11-20T10:00:00Z',
          ended_at: '2026-11-20T12:30:00Z',
        },
      ]),
      'busy',
    )
    expect(running).toMatchObject({ Status: 'Running', Cause: 'CPU use 90.4%, above 90%', Notified: 'false' })
    expect(away).toEqual({
      Status: 'Recovered',
      Started: '2026-11-20T10:00:00Z',
      'Duration (s)': '9000',
      Rule: 'away',
      Server: 'web-1',
      Cause: 'Server is offline',
      Notified: 'true',
    })
  })

  it('of tasks says never for one that did not run, and how the last run ended', async () => {
    const never = { id: 1, name: 'Backup', task_type: 0, scheduler: '@daily', command: '-x', cover: 0, servers: [1, 9] }
    const ran = { ...never, id: 2, name: 'Clean', last_executed_at: '2026-11-20T10:00:00+01:00', last_result: true }
    const rows = [{ ...never, last_executed_at: '0001-01-01T00:00:00Z' }, ran]
    const options = { ...list('cron', 'cron', rows), records: { server: [{ name: 'web-1', uuid: 'u-1' }] } }
    const [backup, clean] = await exported(options, 'Backup')
    expect(backup).toMatchObject({
      Type: 'Scheduled',
      Command: "'-x",
      'Last execution': 'Never',
      Result: '',
      'Specific servers': 'web-1 #1; #9, deleted',
      'Send success notification': 'false',
    })
    expect(clean).toMatchObject({ 'Last execution': '2026-11-20T10:00:00+01:00', Result: 'Succeeded' })
  })

  it('of deliveries has results and replies as the screen says them', async () => {
    const dropped = { id: 1, at: '2026-11-20T10:00:00Z', state: 3, count: 12, code: 401, reply: 'Unauthorized' }
    const [delivery] = await exported(
      page('delivery', 'wheelhouse/deliveries', [{ ...dropped, notification_name: 'Mail', message: 'Down' }]),
      'Mail',
    )
    expect(delivery).toMatchObject({ Result: 'Dropped × 12', Reply: '401 Unauthorized', Time: '2026-11-20T10:00:00Z' })
  })

  it('of the audit log has people, actions and details', async () => {
    const entry = { id: 1, at: '2026-11-20T10:00:00Z', action: 'user.delete', user_id: 1, username: 'admin' }
    const rows = [
      { ...entry, detail: { bytes: 3, outcome: 'done' } },
      { id: 2, unreadable: '{"at' },
    ]
    const [first, half] = await exported(page('settings/audit', 'wheelhouse/audit', rows), 'user.delete')
    expect(first).toMatchObject({ User: 'admin #1', Action: 'User: deleted', Details: 'bytes: 3, outcome: done' })
    expect(half).toMatchObject({ User: '', Action: 'Unreadable line: {"at' })
  })

  it('of blocked addresses has the end of a block by all rows of the address', async () => {
    const rows = [
      { ip: '198.51.100.1', block_timestamp: 1_795_221_228, count: 99_999, block_identifier: 1, block_reason: 1 },
      { ip: '198.51.100.2', block_timestamp: 1_795_221_228, count: 2, block_identifier: -127, block_reason: 2 },
      { ip: '198.51.100.2', block_timestamp: 1_795_221_200, count: 1, block_identifier: -125, block_reason: 77 },
    ]
    const blocks = await exported(page('settings/waf', 'waf', rows), '198.51.100.1')
    expect(blocks.map((block) => Object.values(block))).toEqual([
      ['198.51.100.1', '99999', 'Login failed', 'admin #1', '2026-11-21T00:33:48Z', 'Permanently'],
      ['198.51.100.2', '2', expect.any(String), expect.any(String), '2026-11-21T00:33:48Z', '2026-11-21T00:35:09Z'],
      ['198.51.100.2', '1', '77', 'User is invalid', '2026-11-21T00:33:20Z', '2026-11-21T00:35:09Z'],
    ])
  })

  it('of online users names them, and guests', async () => {
    const rows = [
      { ip: '127.0.0.1', user_id: 1, connected_at: '2026-11-21T00:34:05Z' },
      { ip: '198.51.100.9', connected_at: '2026-11-21T00:34:06Z' },
    ]
    const people = await exported(page('settings/online-user', 'online-user', rows), '198.51.100.9')
    expect(people.map((person) => Object.values(person))).toEqual([
      ['127.0.0.1', 'admin #1', '2026-11-21T00:34:05Z'],
      ['198.51.100.9', 'Guest', '2026-11-21T00:34:06Z'],
    ])
  })

  it('of alert rules names what they watch', async () => {
    const rules = [{ type: 'offline' }, { type: 'cpu', max: 90 }]
    const [rule] = await exported(
      list('alert-rule', 'alert-rule', [{ id: 1, name: 'Away', rules, enable: true }]),
      'Away',
    )
    expect(rule).toMatchObject({ Rules: 'Server is offline, CPU use', Enabled: 'true', 'Trigger mode': 'Always' })
  })

  it('of DDNS profiles says what came of the last update', async () => {
    const profile = { name: 'Home', provider: 'dummy', domains: ['a.example.org', 'b.example.org'], max_retries: 3 }
    const options = { path: '/dashboard/ddns', records: { ddns: [{ ...profile, enable_ipv4: true }] } }
    const [home] = await exported(options, 'Home')
    expect(Object.values(home ?? {})).toContain('a.example.org, b.example.org')
    expect(Object.values(home ?? {})).toContain('No server uses it')
  })
})
