import '@testing-library/jest-dom/vitest'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { button } from '../../support/console/listPage.ts'
import {
  type Answers,
  entriesOf,
  figures,
  hour,
  minute,
  openOverview,
  refusal,
  resetPlots,
  rows,
  site,
} from '../../support/console/overviewPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { FakePlot } from '../../support/fakes/fakePlot.ts'

const now = Date.now()

beforeEach(resetPlots)

describe('The page of a server', () => {
  const online = { id: 1, name: 'web-1', uuid: 'u-1', last_active: new Date(now).toISOString() }
  const course = (metric: string, values: readonly number[]) => ({
    server_id: 1,
    server_name: 'web-1',
    metric,
    data_points: values.map((value, index) => ({ ts: now - hour + index * minute, value })),
  })
  const measured: Answers = {
    'server/1/metrics?metric=cpu': course('cpu', [1, 2, 3]),
    'server/1/metrics?metric=net_in_speed': course('net_in_speed', [1024, 2048]),
    'server/1/metrics?metric=net_out_speed': course('net_out_speed', [512, 1_048_576]),
    'server/1/metrics': course('other', []),
  }
  const checked = [
    {
      monitor_id: 1,
      server_id: 1,
      monitor_name: 'Site',
      server_name: 'web-1',
      display_index: 0,
      created_at: [now - hour, now],
      avg_delay: [3, 5],
    },
  ]

  it('shows all charts at once, and names what the machine does not report', async () => {
    const { page } = await openOverview('server', { ...measured, 'server/1/service?period=1d': checked })
    await page.findByRole('heading', { name: 'CPU' })
    await waitFor(() => expect(page.getAllByRole('slider')).toHaveLength(3))
    expect(figures()).toEqual([
      ['CPU', '3%', '1%', '2%', '3%'],
      ['Site', '5 ms', '3 ms', '4 ms', '5 ms'],
    ])
    expect(rows()).toEqual([
      ['Received', '2.0 KiB/s', '1.0 KiB/s', '1.5 KiB/s', '2.0 KiB/s'],
      ['Sent', '1.0 MiB/s', '0.5 KiB/s', '512.3 KiB/s', '1.0 MiB/s'],
    ])
    page.getByText('Not reported by this machine: Swap, Temperature, GPU')
  })

  it.each([null, 0])(
    'leaves a failed check out of the line and of its figures, which a server sends as %s',
    async (failed) => {
      const delays = { created_at: [now - hour, now - hour / 2, now], avg_delay: [3, failed, 5] }
      const services = [{ ...checked[0], ...delays }]
      const { page } = await openOverview('server', { ...measured, 'server/1/service?period=1d': services })
      await page.findByRole('heading', { name: 'CPU' })
      await waitFor(() => expect(figures()).toContainEqual(['Site', '5 ms', '3 ms', '4 ms', '5 ms']))
    },
  )

  it('shows a public note as its form does: days, choices and switches in words', async () => {
    const billingDataMod = {
      startDate: '2026-02-02T00:00:00+08:00',
      endDate: '0000-00-00T23:59:59+08:00',
      cycle: 'Year',
    }
    const planDataMod = { trafficType: '1', IPv4: '1', IPv6: 'tunnel', extra: '2' }
    const public_note = JSON.stringify({ billingDataMod: { ...billingDataMod, autoRenewal: '0' }, planDataMod })
    const { page } = await openOverview('server', { ...measured, server: [{ ...online, public_note }] })
    const start = await page.findByText('Start')
    expect(start.closest('dl')).toHaveTextContent(
      /^StartFeb 2, 2026EndNever expiresAuto-renewalNoBilling cycleYearlyCounted trafficOne directionIPv4YesIPv6tunnelMore2$/,
    )
  })

  it('says what its machine reported that cannot be', async () => {
    const server = [{ ...online, left_out: { jumps: 1, jumped_at: '2026-11-21T03:12:00Z', values: 12 } }]
    const { page } = await openOverview('server', { ...measured, server })
    expect(
      await page.findByText(/1 jump of a counter left out at Nov 21, 2026, 3:12:00 AM\s12 impossible values left out/),
    ).toBeVisible()
  })

  it('has one time axis and one crosshair for all charts', async () => {
    const { page } = await openOverview('server', { ...measured, 'server/1/service?period=1d': checked })
    await waitFor(() => expect(page.getAllByRole('slider')).toHaveLength(3))
    const spans = new Set(FakePlot.shown.map(({ plotData }) => JSON.stringify(plotData?.span)))
    expect(spans.size).toBe(1)
    act(() => FakePlot.shown[0]?.onPoint(now - hour + minute))
    expect(FakePlot.shown.map(({ pointed }) => pointed)).toEqual(FakePlot.shown.map(() => now - hour + minute))
    expect([...figures(), ...rows()].map((cells) => cells[1])).toEqual(['2%', '3 ms', '2.0 KiB/s', '1.0 MiB/s'])
  })

  it('keeps period and zoom in the address, with mouse and buttons', async () => {
    const { page, user, asked } = await openOverview('server', measured, { search: '?period=7d' })
    await page.findByRole('heading', { name: 'CPU' })
    expect(asked).toContain('server/1/metrics?metric=cpu&period=7d')
    const query = () => new URLSearchParams(window.location.search)
    const start = Math.round((now - hour) / 1000)
    act(() => FakePlot.shown[0]?.onZoom({ from: now - hour, to: now - hour + 10 * minute }))
    expect([query().get('from'), query().get('to')]).toEqual([String(start), String(start + 600)])
    expect(FakePlot.shown[0]?.plotData?.span.to).toBe((start + 600) * 1000)
    await user.click(page.getByRole('button', { name: 'Later' }))
    expect(query().get('from')).toBe(String(start + 300))
    await user.click(page.getByRole('button', { name: 'Zoom out' }))
    expect(Number(query().get('to')) - Number(query().get('from'))).toBe(1200)
    await user.click(page.getByRole('button', { name: 'Whole period' }))
    expect(window.location.search).toBe('?period=7d')
    await user.click(page.getByRole('button', { name: '30 days' }))
    expect(window.location.search).toBe('?period=30d')
  })

  it.each([
    { kept: 'a year', wheelhouse: { history_days: 400 }, chosen: '1 year', offered: 1 },
    { kept: 'a month', wheelhouse: {}, chosen: '1 day', offered: 0 },
  ])('offers a year only where that is kept: $kept', async ({ wheelhouse, chosen, offered }) => {
    const setting = { config: {}, tsdb_enabled: true, wheelhouse }
    const answers = { ...measured, setting, 'server/1/service': checked }
    const { page } = await openOverview('server', answers, { search: '?period=365d' })
    await page.findByRole('button', { name: chosen, pressed: true })
    expect(page.queryAllByRole('button', { name: '1 year' })).toHaveLength(offered)
  })

  it('begins with the part that the address names, and with everything where that makes no sense', async () => {
    const [from, to] = [Math.round((now - hour) / 1000), Math.round((now - hour) / 1000) + 600]
    const { page } = await openOverview('server', measured, { search: `?from=${from}&to=${to}` })
    await page.findByRole('button', { name: 'Whole period' })
    expect(FakePlot.shown[0]?.plotData?.span).toEqual({
      from: now - hour > from * 1000 ? now - hour : from * 1000,
      to: to * 1000,
    })
  })

  it('marks alarms in the chart that they are about and lists them with cause and length', async () => {
    const started_at = new Date(now - 30 * minute).toISOString()
    const alarm = {
      id: 7,
      rule_id: 2,
      rule_name: 'busy',
      server_id: 1,
      server_name: 'web-1',
      started_at,
      ended_at: new Date(now - 10 * minute).toISOString(),
      causes: [{ type: 'cpu', value: 97.5, max: 90 }],
    }
    const alarms = { value: [alarm], pagination: { total: 1 } }
    const { page, asked } = await openOverview('server', { ...measured, 'wheelhouse/alarms': alarms })
    await page.findByRole('region', { name: 'Alarms' })
    expect(asked.some((path) => /^wheelhouse\/alarms\?.*server_id=1$/.test(path))).toBe(true)
    expect(entriesOf('Alarms')).toEqual([expect.stringMatching(/^Recovered busy CPU use 97.5%, above 90%.*20 min$/)])
    await waitFor(() =>
      expect(FakePlot.shown[0]?.plotData?.marks).toEqual([
        { kind: 'alarm', from: now - 30 * minute, to: now - 10 * minute, text: 'busy', about: ['cpu'] },
      ]),
    )
    expect(FakePlot.shown[1]?.plotData?.marks).toEqual([])
  })

  it('marks all charts while the server was offline', async () => {
    const alarm = {
      id: 7,
      rule_id: 2,
      rule_name: 'gone',
      server_id: 1,
      server_name: 'web-1',
      started_at: new Date(now - 30 * minute).toISOString(),
      causes: [{ type: 'offline' }],
    }
    await openOverview('server', { ...measured, 'wheelhouse/alarms': { value: [alarm], pagination: { total: 1 } } })
    await waitFor(() =>
      expect(FakePlot.shown.map(({ plotData }) => plotData?.marks.map(({ text }) => text))).toEqual([
        ['gone'],
        ['gone'],
      ]),
    )
  })

  it('draws the bounds of the rules that watch it, and says whose they are', async () => {
    const rules = (part: object) => [{ cover: 0, ignore: {}, ...part }]
    const records = {
      'alert-rule': [
        { name: 'Busy', enable: true, rules: rules({ type: 'cpu', max: 90 }) },
        { name: 'Flood', enable: true, rules: rules({ type: 'net_in_speed', max: 1024 ** 3 }) },
        { name: 'Elsewhere', enable: true, rules: rules({ type: 'cpu', max: 50, ignore: { 1: true } }) },
      ],
    }
    const { page } = await openOverview('server', measured, { records })
    await page.findByText('Limit 90% (Busy)')
    page.getByText('Limit 1.0 GiB/s (Flood), above this chart')
    expect(FakePlot.shown.map(({ plotData }) => plotData?.bounds)).toEqual([[90], []])
    expect(FakePlot.shown[0]?.plotData?.scale).toEqual([0, 100])
  })

  it('shows the last hour of what the server sends of a day', async () => {
    const early = { ...course('cpu', []), data_points: [{ ts: now - 5 * hour, value: 80 }] }
    const late = course('cpu', [1, 2, 3]).data_points
    const cpu = { ...early, data_points: [...early.data_points, ...late.slice(1)] }
    const { page, asked } = await openOverview(
      'server',
      { ...measured, 'server/1/metrics?metric=cpu': cpu },
      { search: '?period=1h' },
    )
    await waitFor(() => expect(figures()).toEqual([['CPU', '3%', '2%', '2.5%', '3%']]))
    const { from = 0, to = 0 } = FakePlot.shown[0]?.plotData?.span ?? {}
    expect(to - from).toBe(hour)
    expect(asked).toContain('server/1/metrics?metric=cpu&period=1d')
    expect(page.getByRole('button', { name: '1 hour', pressed: true })).toBeVisible()
  })

  it('says that nothing was measured in the last hour, and still leads to the day before', async () => {
    const cpu = { ...course('cpu', []), data_points: [{ ts: now - 5 * hour, value: 80 }] }
    const server = [{ ...online, last_active: '0001-01-01T00:00:00Z' }]
    const answers = { 'server/1/metrics?metric=cpu': cpu, 'server/1/metrics': course('other', []), server }
    const { page, user } = await openOverview('server', answers, { search: '?period=1h' })
    await page.findByText('Nothing was measured in this period: the server is offline.')
    await user.click(page.getByRole('button', { name: '1 day' }))
    await page.findByRole('heading', { name: 'CPU' })
  })

  describe('opens a chart large', () => {
    const other: Answers = {
      ...measured,
      'server/2/metrics?metric=cpu': { ...course('cpu', [40, 50, 60]), server_id: 2, server_name: 'web-2' },
    }
    const records = {
      server: [
        { name: 'web-1', uuid: 'u-1' },
        { name: 'web-2', uuid: 'u-2' },
      ],
    }
    const query = () => window.location.search

    it('keeps that in the address, and lays another server over it', async () => {
      const { page, user } = await openOverview('server', other, { records })
      await user.click(await page.findByRole('button', { name: 'Enlarge CPU' }))
      expect(query()).toBe('?chart=cpu')
      const dialog = await screen.findByRole('dialog', { name: 'web-1: CPU' })
      expect(figures(dialog)).toEqual([['CPU', '3%', '1%', '2%', '3%']])
      await user.selectOptions(within(dialog).getByRole('combobox', { name: 'Compare with' }), 'web-2')
      expect(query()).toBe('?chart=cpu&with=2')
      await within(dialog).findByRole('button', { name: 'web-2' })
      const table = within(dialog).getAllByRole('row').slice(1)
      expect(table.map((row) => row.textContent)).toEqual(['web-13%1%2%3%', 'web-260%40%50%60%'])
      await user.click(within(dialog).getByRole('button', { name: '1 hour' }))
      expect(query()).toBe('?chart=cpu&with=2&period=1h')
      await user.click(within(dialog).getByRole('button', { name: 'Close' }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      expect(new URLSearchParams(query()).has('chart')).toBe(false)
    })

    it('from the address alone, and closes with Escape', async () => {
      const { user } = await openOverview('server', other, { records, search: '?chart=cpu&with=2' })
      const dialog = await screen.findByRole('dialog', { name: 'web-1: CPU' })
      await within(dialog).findByRole('button', { name: 'web-2' })
      await user.keyboard('{Escape}')
      await waitFor(() => expect(query()).toBe(''))
    })

    it('with the names of both where it has several lines', async () => {
      const speeds: Answers = {
        ...other,
        'server/2/metrics?metric=net_in_speed': course('net_in_speed', [4096]),
        'server/2/metrics?metric=net_out_speed': course('net_out_speed', [8192]),
      }
      await openOverview('server', speeds, { records, search: '?chart=net_in_speed&with=2' })
      const dialog = await screen.findByRole('dialog', { name: 'web-1: Network speed' })
      await within(dialog).findByRole('button', { name: 'web-2: Received' })
      const names = within(dialog).getAllByRole('rowheader')
      expect(names.map(({ textContent }) => textContent)).toEqual([
        'web-1: Received',
        'web-1: Sent',
        'web-2: Received',
        'web-2: Sent',
      ])
    })

    it('says why the other server cannot be shown, and keeps its own lines', async () => {
      const answers = { ...measured, 'server/2/metrics': refusal('permission denied') }
      await openOverview('server', answers, { records, search: '?chart=cpu&with=2' })
      const dialog = await screen.findByRole('dialog', { name: 'web-1: CPU' })
      await within(dialog).findByText('The charts could not be loaded: permission denied')
      expect(figures(dialog)).toEqual([['CPU', '3%', '1%', '2%', '3%']])
    })
  })

  it('marks task runs in the charts, and says how each task went on this server', async () => {
    const run = {
      id: 3,
      execution_id: 3,
      cron_id: 1,
      cron_name: 'Nightly',
      server_id: 1,
      cause: 'schedule',
      state: 'failed',
      started_at: new Date(now - 20 * minute).toISOString(),
      ended_at: new Date(now - 19 * minute).toISOString(),
      reason: 'exit_code',
      exit_code: 3,
    }
    const earlier = { ...run, id: 2, state: 'succeeded', started_at: new Date(now - 30 * minute).toISOString() }
    const runs = { value: [run, earlier], pagination: { total: 2 } }
    const records = {
      cron: [
        { name: 'Nightly', cover: 0, servers: [1], last_executed_at: '0001-01-01T00:00:00Z' },
        { name: 'Weekly', cover: 0, servers: [1], last_executed_at: new Date(now).toISOString(), last_result: true },
      ],
    }
    const { page } = await openOverview('server', { ...measured, 'server/1/runs': runs }, { records })
    await page.findByRole('region', { name: 'Task runs' })
    expect(entriesOf('Task runs')).toEqual([
      expect.stringMatching(/^FailedNightlyexit code 3.*1 min$/),
      expect.stringMatching(/^SucceededNightly.*11 min$/),
    ])
    await waitFor(() =>
      expect(FakePlot.shown[0]?.plotData?.marks.map(({ kind, from }) => [kind, from])).toEqual([
        ['failedRun', now - 20 * minute],
        ['run', now - 30 * minute],
      ]),
    )
    page.getByText('Failed task run')
    const related = within(page.getByRole('region', { name: 'Related' }))
    await waitFor(() =>
      expect(related.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
        'SiteNever checked ',
        // The clock of ages goes in steps, and the tests before this one may have taken minutes.
        expect.stringMatching(/^NightlyFailed \d+ min ago$/),
        'WeeklyNo run on this server is kept',
      ]),
    )
  })

  it('shows what belongs to the server, and nothing of others', async () => {
    const records = {
      server: [
        { name: 'web-1', uuid: 'u-1', ddns_profiles: [1], enable_ddns: true, note: 'Rack 4' },
        { name: 'web-2', uuid: 'u-2' },
      ],
      service: [
        { ...site, cover: 0, skip_servers: {} },
        { ...site, name: 'Elsewhere', cover: 0, skip_servers: { 1: true } },
        { ...site, name: 'Nowhere else', cover: 1, skip_servers: { 1: true } },
      ],
      'server-group': [
        { name: 'Europe', servers: [1] },
        { name: 'Asia', servers: [2] },
      ],
      'alert-rule': [
        { name: 'Busy', enable: true, rules: [{ type: 'cpu', max: 90, cover: 0, ignore: {} }] },
        { name: 'Not here', enable: true, rules: [{ type: 'cpu', max: 90, cover: 0, ignore: { 1: true } }] },
      ],
      cron: [
        {
          name: 'Nightly',
          cover: 0,
          servers: [1],
          last_executed_at: '0001-01-01T00:00:00Z',
        },
        { name: 'Other', cover: 1, servers: [1], last_executed_at: '0001-01-01T00:00:00Z' },
      ],
      ddns: [{ name: 'Dyn', provider: 'dummy', domains: ['a.example.com'] }],
      nat: [{ name: 'Pages', enabled: true, server_id: 1, host: '127.0.0.1:80', domain: 'pages.example.com' }],
    }
    const { page } = await openOverview('server', measured, { records })
    await page.findByRole('link', { name: 'Nightly' })
    const links = () =>
      within(page.getByRole('region', { name: 'Related' }))
        .getAllByRole('link')
        .map((link) => `${link.textContent} ${link.getAttribute('href')}`)
    await waitFor(() =>
      expect(links()).toEqual([
        'Europe /dashboard/server-group/1/overview',
        'Nowhere else /dashboard/service/3/overview',
        'Site /dashboard/service/1/overview',
        'Busy /dashboard/alert-rule/1',
        'Nightly /dashboard/cron/1',
        'Dyn /dashboard/ddns/1',
        'Pages /dashboard/nat/1',
      ]),
    )
    await page.findByText('Never run')
    page.getByText('pages.example.com → 127.0.0.1:80')
    page.getByText('Rack 4')
  })

  it('shows members a server that is shared with them, without what they may not do', async () => {
    const records = {
      server: [{ name: 'web-1', uuid: 'u-1', user_id: 1, note: 'private' }],
      'server-share': [{ name: 'support', users: [2], servers: [1], server_groups: [], user_id: 1 }],
    }
    const { page } = await openOverview('server', measured, { role: 'member', records })
    await page.findByText('Read-only')
    await page.findByRole('heading', { name: 'CPU' })
    expect(page.queryByRole('link', { name: /Edit|terminal|files/i })).toBeNull()
    expect(page.queryByRole('button', { name: /^Actions for/ })).toBeNull()
    expect(page.queryByText('private')).toBeNull()
  })

  it('says that no rule watches the server', async () => {
    const { page } = await openOverview('server', measured)
    await page.findByText('No rule watches this server.')
  })

  it('leads to the terminal, to the files and to the form, and back from the form', async () => {
    const { page, user } = await openOverview('server', measured, { search: '?period=7d' })
    expect(page.getByRole('link', { name: 'Open a terminal on web-1' })).toHaveAttribute(
      'href',
      '/dashboard/terminal/1',
    )
    expect(page.getByRole('link', { name: 'Open the files of web-1' })).toHaveAttribute(
      'href',
      '/dashboard/terminal/1?files',
    )
    await user.click(page.getByRole('link', { name: 'Edit web-1' }))
    expect(window.location.pathname).toBe('/dashboard/server/1')
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    await waitFor(() =>
      expect(window.location.pathname + window.location.search).toBe('/dashboard/server/1/overview?period=7d'),
    )
  })

  it('is where the name in the list leads', async () => {
    const { user } = await renderConsole({ path: '/dashboard', records: { server: [{ name: 'web-1', uuid: 'u-1' }] } })
    await user.click(await screen.findByRole('link', { name: /^web-1/ }))
    await screen.findByRole('heading', { level: 1, name: 'web-1' })
    expect(window.location.pathname).toBe('/dashboard/server/1/overview')
  })

  it('says that there is no such page for a server that does not exist, or that a member may not see', async () => {
    await renderConsole({ path: '/dashboard/server/99/overview' })
    await screen.findByRole('heading', { name: 'There is no page at this address.' })
  })

  it('uses the older endpoint of servers before v2.0.0', async () => {
    const { page } = await openOverview('server', {
      'server/1/': refusal('404 Not Found', 404),
      'service/1': [
        { monitor_id: 4, server_id: 1, monitor_name: 'Site', server_name: 'web-1', created_at: [now], avg_delay: [3] },
      ],
    })
    await waitFor(() => expect(figures()).toEqual([['Site', '3 ms', '3 ms', '3 ms', '3 ms']]))
    page.getByRole('heading', { name: 'Checked services', level: 3 })
  })

  it.each([
    ['yet', course('cpu', []), online, 'Nothing measured yet. The first value arrives within 60 s.'],
    ['as the server keeps none', refusal('404 Not Found', 404), online, 'This server keeps no history.'],
    [
      'as it is offline',
      course('cpu', []),
      { ...online, last_active: '0001-01-01T00:00:00Z' },
      'Nothing was measured in this period: the server is offline.',
    ],
  ])('says that there is no history %s', async (_, answer, server, text) => {
    const { page } = await openOverview('server', { 'server/1/metrics': answer, server: [server] })
    await page.findByText(text)
  })

  it('shows the server’s message after an error, and loads on Retry', async () => {
    const answers: Answers = { 'server/1/metrics': refusal('database is locked') }
    const { page, user } = await openOverview('server', answers)
    await page.findByText('The charts could not be loaded: database is locked')
    answers['server/1/metrics'] = course('cpu', [1, 2, 3])
    await user.click(button('Retry'))
    await page.findAllByRole('slider')
  })

  it('removes its plots when it is left', async () => {
    const { page, user } = await openOverview('server', measured)
    await page.findAllByRole('slider')
    await user.click(page.getByRole('link', { name: 'Servers' }))
    await waitFor(() => expect(FakePlot.shown).toEqual([]))
  })
})
