import '@testing-library/jest-dom/vitest'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
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
import { FakePlot } from '../../support/fakes/fakePlot.ts'

const now = Date.now()

beforeEach(resetPlots)

const zeros = Array.from({ length: 30 }, () => 0)
const recently = (value: number) => [...zeros.slice(0, 28), value, value]

const summary = {
  service_name: 'Site',
  current_up: 1,
  current_down: 0,
  total_up: 199,
  total_down: 1,
  delay: recently(12.3),
  up: [...zeros.slice(0, 28), 99, 100],
  down: [...zeros.slice(0, 28), 1, 0],
}
const checks = (start: number, delays: readonly (number | null)[]) =>
  delays.map((delay, index) => ({ ts: start + index * minute, delay: delay ?? 0, status: delay === null ? 0 : 1 }))
const seen = (server_id: number, server_name: string, up_percent: number, data_points: unknown) => ({
  server_id,
  server_name,
  stats: { avg_delay: 10, up_percent, total_up: 9, total_down: 1, data_points },
})
const history = {
  service_id: 1,
  service_name: 'Site',
  servers: [
    seen(1, 'web-1', 100, checks(now - hour, [10, 20, 30])),
    seen(2, 'web-2', 66.66, checks(now - hour, [5, null, 7])),
  ],
}

const openService = (answers: Answers = {}, options?: Parameters<typeof openOverview>[2]) =>
  openOverview('service', { 'service/1/history': history, service: { services: { 1: summary } }, ...answers }, options)

describe('The charts of a service', () => {
  it('show every server’s latency in a table, the one with most failures first', async () => {
    const { page } = await openService()
    await page.findByRole('heading', { name: 'Latency' })
    expect(rows()).toEqual([
      ['web-2', '66.66%', '7 ms', '5 ms', '6 ms', '7 ms'],
      ['web-1', '100%', '30 ms', '10 ms', '20 ms', '30 ms'],
    ])
    expect(FakePlot.newest?.plotData?.failures).toHaveLength(1)
    expect(page.getByText(/web-1: lowest 10 ms, average 20 ms, highest 30 ms, last 30 ms\./)).toBeTruthy()
  })

  it('describe the availability on each of the last 30 days', async () => {
    const { page } = await openService()
    await page.findByText('99.5% up')
    const days = page
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
      .filter((text) => /up|not checked/.test(text ?? ''))
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toMatch(/^\w+ \d+: 100% up, 0 failed checks$/)
    expect(days.at(-2)).toMatch(/: 99% up, 1 failed check$/)
    expect(days[0]).toMatch(/: not checked$/)
  })

  it('follow pointer and arrow keys, and report a failed check', async () => {
    const { page } = await openService()
    const slider = await page.findByRole('slider', { name: 'Point in time' })
    act(() => FakePlot.newest?.onPoint(now - hour + minute))
    expect(page.getByRole('columnheader', { name: 'At pointer' })).toBeTruthy()
    expect(rows().map((cells) => cells[2])).toEqual(['Failed', '20 ms'])
    fireEvent.change(slider, { target: { value: '2' } })
    expect(slider.getAttribute('aria-valuetext')).toMatch(/web-2 7 ms, web-1 30 ms$/)
    expect(FakePlot.newest?.pointed).toBe(now - hour + 2 * minute)
    fireEvent.blur(slider)
    expect(page.getByRole('columnheader', { name: 'Last' })).toBeTruthy()
  })

  it('report a failed last check instead of the value before it', async () => {
    const failing = seen(1, 'web-1', 50, checks(now - hour, [10, null]))
    const { page } = await openService({ 'service/1/history': { ...history, servers: [failing] } })
    await page.findByRole('slider')
    expect(figures()).toEqual([['web-1', '50%', 'Failed', '10 ms', '10 ms', '10 ms']])
  })

  it('have the bounds of the service as lines, also where they are shown large', async () => {
    const records = { service: [{ ...site, min_latency: 2, max_latency: 25, latency_notify: true }] }
    const { page, user } = await openService({}, { records })
    await page.findByText('Limit 25 ms')
    page.getByText('Lower limit 2 ms')
    expect(FakePlot.newest?.plotData?.bounds).toEqual([25, 2])
    await user.click(page.getByRole('button', { name: 'Enlarge Latency' }))
    await screen.findByRole('dialog', { name: 'Site: Latency' })
    expect(window.location.search).toBe('?chart=latency')
    await waitFor(() => expect(FakePlot.newest?.plotData?.bounds).toEqual([25, 2]))
  })

  it('count only the checks of the last hour where that is chosen', async () => {
    const day = [...checks(now - 5 * hour, [null, 900]), ...checks(now - 10 * minute, [10, null, 20, 30])]
    const answers = { 'service/1/history': { ...history, servers: [seen(1, 'web-1', 50, day)] } }
    await openService(answers, { search: '?period=1h' })
    await waitFor(() => expect(figures()).toEqual([['web-1', '75%', '30 ms', '10 ms', '20 ms', '30 ms']]))
  })

  it('hide a line and show it again in the same colour', async () => {
    const { page, user } = await openService()
    const name = await page.findByRole('button', { name: 'web-2' })
    const before = FakePlot.newest?.plotData?.lineStyles
    await user.click(name)
    expect(name.getAttribute('aria-pressed')).toBe('false')
    expect(FakePlot.newest?.plotData?.lineStyles).toEqual(before?.slice(1))
    expect(FakePlot.newest?.plotData?.failures).toEqual([])
    await user.click(name)
    expect(FakePlot.newest?.plotData?.lineStyles).toEqual(before)
  })

  it('are loaded again for another period, and stay on screen meanwhile', async () => {
    const { page, user, asked } = await openService()
    await page.findByRole('slider')
    await user.click(page.getByRole('button', { name: '30 days' }))
    expect(page.getByRole('slider')).toBeTruthy()
    await waitFor(() => expect(asked).toContain('service/1/history?period=30d'))
    expect(asked).toContain('service/1/history?period=1d')
  })

  it('draw eight of many lines at first, and find the others by name', async () => {
    const servers = Array.from({ length: 60 }, (_, index) =>
      seen(index + 1, `node-${index + 1}`, 100, checks(now, [1])),
    )
    const { page, user } = await openService({ 'service/1/history': { ...history, servers } })
    await page.findByRole('slider')
    expect(FakePlot.newest?.plotData?.lines).toHaveLength(8)
    expect(rows()).toHaveLength(50)
    expect(page.getByText('+ 10 more')).toBeTruthy()
    await user.type(page.getByRole('searchbox', { name: 'Search' }), 'node-60')
    expect(rows().map(([name]) => name)).toEqual(['node-60'])
    await user.click(page.getByRole('button', { name: 'node-60' }))
    expect(FakePlot.newest?.plotData?.lines).toHaveLength(9)
  })

  it('say when the first value is expected', async () => {
    const { page } = await openService({ 'service/1/history': { ...history, servers: [] }, service: {} })
    await page.findByText('Nothing measured yet. The first value arrives within 45 s.')
    expect(await page.findAllByText(/^Never checked$/)).toHaveLength(2)
  })

  it('expect no value of a service that is paused', async () => {
    const records = { service: [{ ...site, paused: true }] }
    const { page } = await openService({ 'service/1/history': { ...history, servers: [] }, service: {} }, { records })
    await page.findByText('Latency: nothing measured.')
  })

  it('say that an old server keeps no history', async () => {
    const old = await openService({ 'service/1/history': refusal('404 Not Found', 404) })
    await old.page.findByText('This server keeps no history.')
    // All server versions send the days.
    await old.page.findByText('99.5% up')
  })

  it('say that a server keeps no history if that is switched off', async () => {
    const { page } = await openService({
      'service/1/history': { ...history, servers: [] },
      setting: { config: { language: 'en-US' }, tsdb_enabled: false },
    })
    await page.findByText('This server keeps no history.')
  })

  it('show the server’s message after an error, and load on Retry', async () => {
    const answers: Answers = { 'service/1/history': refusal('database is locked'), service: {} }
    const { page, user } = await openOverview('service', answers)
    await page.findByText('The charts could not be loaded: database is locked')
    answers['service/1/history'] = history
    await user.click(button('Retry'))
    await page.findByRole('slider')
    expect(page.queryByText(/could not be loaded/)).toBeNull()
  })

  it('distinguish checks that are not permitted', async () => {
    const notPermitted = seen(3, 'web-3', 0, [])
    Object.assign(notPermitted.stats, { not_permitted: 4 })
    const { page } = await openService({
      'service/1/history': { ...history, servers: [notPermitted] },
      service: { services: { 1: { ...summary, current_up: 0, not_permitted: 1 } } },
    })
    await page.findByText('Not permitted to run this check: web-3')
    expect(page.queryByText(/Nothing measured yet/)).toBeNull()
    // The state and the chart come by two calls, in either order.
    await screen.findByText(/^Not permitted$/, { exact: false, selector: '[data-health]' })
  })

  it('are translated into German', async () => {
    const { page } = await openOverview(
      'service',
      { 'service/1/history': history, service: { services: { 1: summary } } },
      { locale: 'de-DE' },
    )
    await page.findByText('99,5 % erreichbar')
    // The availability and the chart come by two calls, in either order.
    await waitFor(() => expect(rows()).not.toEqual([]))
    // Between value and sign is a space that does not break.
    expect(rows()[0]?.map((words) => words.replaceAll('\u00a0', ' '))).toEqual([
      'web-2',
      '66,66 %',
      '7 ms',
      '5 ms',
      '6 ms',
      '7 ms',
    ])
  })
})

describe('The page of a service', () => {
  const started_at = new Date(now - 3 * hour).toISOString()
  const outage = {
    id: 4,
    started_at,
    ended_at: new Date(now - 2 * hour).toISOString(),
    problem: 'connection refused',
    server_name: 'web-1',
  }

  it('lists outages with cause and length, marks them, and says since when it is up', async () => {
    const { page } = await openService({ 'wheelhouse/service/1/outages': [outage] })
    await page.findByText(/^Up since /)
    expect(entriesOf('Outages')).toEqual([expect.stringMatching(/^1 hconnection refusedseen from web-1/)])
    await waitFor(() =>
      expect(FakePlot.newest?.plotData?.marks).toEqual([
        { kind: 'outage', from: now - 3 * hour, to: now - 2 * hour, text: 'Outage: connection refused' },
      ]),
    )
  })

  it('says once why it is down', async () => {
    const down = { ...summary, current_up: 0, current_down: 9, state: 'down', problem: 'connection refused' }
    await openService({ service: { services: { 1: down } } })
    const banner = await screen.findByRole('list', { name: 'What is wrong now' })
    await within(banner).findByText(/^connection refused/)
    expect(screen.getAllByText(/connection refused/)).toHaveLength(1)
  })

  it('says since when it is down', async () => {
    const { page } = await openService({ 'wheelhouse/service/1/outages': [{ ...outage, ended_at: undefined }] })
    await page.findByText(/^Down since /)
    expect(entriesOf('Outages')).toEqual([
      expect.stringMatching(/^(3 h( \d+ (s|min))?|2 h 59 min), still downconnection refused/),
    ])
  })

  it('reads outages from the results where the server keeps none', async () => {
    const { page } = await openService({
      setting: { config: { language: 'en-US' }, tsdb_enabled: true },
      'service/1/history': history,
    })
    await page.findByRole('region', { name: 'Outages' })
    expect(entriesOf('Outages')).toEqual([expect.stringMatching(/^1 minseen from web-2/)])
    expect(page.queryByRole('region', { name: 'Notifications sent' })).toBeNull()
  })

  it('shows when the certificate ends, and the notifications that were sent', async () => {
    const delivery = {
      id: 1,
      at: started_at,
      notification_id: 1,
      notification_name: 'Chat',
      service_id: 1,
      state: 1,
      message: '[Down] Site: connection refused',
    }
    const certificate_expires_at = new Date(now + 20 * 24 * hour).toISOString()
    const { page, asked } = await openService({
      service: { services: { 1: { ...summary, certificate_expires_at } } },
      'wheelhouse/deliveries': { value: [delivery], pagination: { total: 1 } },
    })
    await page.findByText('[Down] Site: connection refused')
    expect(entriesOf('Notifications sent')).toEqual([expect.stringMatching(/^SentChat\[Down\]/)])
    expect(asked.find((path) => path.startsWith('wheelhouse/deliveries'))).toContain('service_id=1')
    expect((await page.findByText('Certificate')).parentElement?.textContent).toMatch(/^Certificate(19|20) dUntil /)
  })

  it('names the servers that check it, and says when nobody is notified of an outage', async () => {
    const { page } = await openService()
    const related = within(await page.findByRole('region', { name: 'Related' }))
    expect((await related.findByRole('link', { name: 'web-1' })).getAttribute('href')).toBe(
      '/dashboard/server/1/overview',
    )
    page.getByText('None: nobody is notified of an outage.')
    page.getByText('127.0.0.1:1')
  })
})

describe('The state of a service', () => {
  const words = () => [...document.querySelectorAll('[data-health]')].map(({ textContent }) => textContent)

  it.each([
    ['reached by all', summary, 'Up 99.5% · 12.3 ms'],
    ['that failed now and then', { ...summary, current_up: 9, current_down: 1 }, 'Some checks fail 99.5% · 12.3 ms'],
    ['that fails too often', { ...summary, current_up: 4, current_down: 1 }, 'Down 99.5% · 12.3 ms'],
    ['that has just come back', { ...summary, current_down: 9, state: 'up' }, 'Some checks fail 99.5% · 12.3 ms'],
    ['that has just failed', { ...summary, current_up: 29, current_down: 2, state: 'down' }, 'Down 99.5% · 12.3 ms'],
    ['reached by none', { ...summary, current_up: 0, current_down: 2 }, 'Down 99.5% · 12.3 ms'],
    [
      'that nobody may check',
      { ...summary, current_up: 0, total_up: 0, total_down: 0, delay: zeros, not_permitted: 1 },
      'Not permitted ',
    ],
    [
      'that was never checked',
      { ...summary, current_up: 0, total_up: 0, total_down: 0, delay: zeros },
      'Never checked ',
    ],
  ])('says how the service does: %s', async (_, service, text) => {
    await openService({ service: { services: { 1: service } } })
    await waitFor(() => expect(words()[0]).toBe(text))
  })
})

describe('The check of a service', () => {
  const at = (ago: number) => new Date(now - ago).toISOString()
  const point = (ago: number, delay: number, phases?: object) => ({
    ts: now - ago,
    delay,
    status: phases ? 1 : 0,
    ...(phases && { phases }),
  })
  const parts = {
    ...history,
    servers: [
      seen(1, 'web-1', 50, [point(20 * minute, 70, { connect: 10, tls: 20, first_byte: 30 }), point(10 * minute, 0)]),
      seen(2, 'web-2', 100, [point(20 * minute, 5, { connect: 1 })]),
    ],
  }
  const details = {
    chain: [
      { host: 'shop.example', subject: 'shop.example', issuer: 'Some CA', expires_at: at(-10.5 * 24 * hour) },
      { host: 'shop.example', subject: 'Some CA', issuer: 'Root', expires_at: at(-400.5 * 24 * hour) },
    ],
    calls: [{ at: at(minute), event: 'fail', message: 'disk full', ms: 65_000 }],
  }
  const withCheck = (check: object) => ({
    'service/list': [
      { id: 1, name: 'Site', type: 1, target: 'https://a.example', check, push_path: '/api/push/token' },
    ],
    setting: { config: { language: 'en-US' }, tsdb_enabled: true, wheelhouse: { checks: true, outages: true } },
    'service/1/history': parts,
    'wheelhouse/service/1/details': details,
    'wheelhouse/service/1/outages': [],
  })

  it('shows what took how long, by machine, and the certificates with the days that they have left', async () => {
    const { page, user } = await openService(withCheck({ kind: 'tls' }))
    const bars = await page.findByRole('region', { name: 'What took how long' })
    const shown = () =>
      within(bars)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
    expect(shown()).toEqual([
      expect.stringMatching(/ · connect 10 ms · TLS 20 ms · first byte 30 ms · rest 10 ms$/),
      expect.stringMatching(/ · Down$/),
    ])
    await user.selectOptions(within(bars).getByRole('combobox', { name: 'Machine' }), 'web-2')
    expect(shown()).toEqual([expect.stringMatching(/ · connect 1 ms · rest 4 ms$/)])
    const chain = within(page.getByRole('region', { name: 'Certificates' }))
    const cells = chain
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map((cell) => cell.textContent),
      )
    expect(cells.map(([subject, issuer, , days]) => [subject, issuer, days])).toEqual([
      ['shop.example', 'Some CA', '10'],
      ['Some CA', 'Root', '400'],
    ])
  })

  it('shows the calls of a job, and the lines that it can have', async () => {
    const { page } = await openService(withCheck({ kind: 'push' }))
    await page.findByText('disk full')
    expect(entriesOf('Calls of the job')).toEqual([expect.stringMatching(/^Failed1 min 5 sdisk full/)])
    const lines = within(page.getByRole('region', { name: 'What the job calls' }))
    for (const name of ['cron', 'systemd', 'bash', 'PowerShell', 'Python']) {
      expect(lines.getByRole('button', { name: `Copy the line for ${name}` })).toBeInTheDocument()
    }
  })
})
