import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { FastifyInstance } from 'fastify'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { createFakePlot, FakePlot } from '../../support/fakes/fakePlot.ts'

vi.mock('../../../src/custom/charts/plot/plot.ts', () => ({
  createPlot: ((place, onPoint) => createFakePlot(place, onPoint)) satisfies typeof createFakePlot,
}))

beforeEach(() => {
  FakePlot.newest = undefined
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
})

/** What the server says to a GET: its data, or a whole reply where that is no success. */
type Answers = Record<string, unknown>
const refusal = (error: string, status = 200) => ({ isRefusal: true, error, status })

const minute = 60_000
const hour = 60 * minute
const now = Date.now()
const zeros = Array.from({ length: 30 }, () => 0)
const recently = (value: number) => [...zeros.slice(0, 28), value, value]

const site = { name: 'Site', type: 3, target: '127.0.0.1:1', duration: 45 }
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

async function open(what: 'service' | 'server', answers: Answers, { locale }: { locale?: 'de-DE' } = {}) {
  const asked: string[] = []
  const rendered = await renderConsole({
    path: what === 'service' ? '/dashboard/service' : '/dashboard',
    locale,
    records: { service: [site], server: [{ name: 'web-1', uuid: 'u-1' }] },
    prepare: (app: FastifyInstance) => {
      // Of servers before v2.0.0: calls without a route are answered before the hook.
      app.get('/api/v1/service/:id', (_request, reply) => reply.code(404).send({ error: '404 Not Found' }))
      app.addHook('preHandler', async ({ url, method }, reply) => {
        const path = url.replace('/api/v1/', '')
        const key = Object.keys(answers).find((one) => (one.includes('/') ? path.startsWith(one) : path === one))
        if (method !== 'GET' || key === undefined) return
        asked.push(path)
        const answer = answers[key] as Partial<ReturnType<typeof refusal>>
        if (answer?.isRefusal) return reply.code(answer.status ?? 200).send({ error: answer.error })
        return reply.send({ success: true, data: answer })
      })
    },
  })
  const { user } = rendered
  const name = what === 'service' ? 'Site' : 'web-1'
  await user.click(await screen.findByRole('button', { name: locale ? /^Aktionen für/ : `Actions for ${name}` }))
  await user.click(await screen.findByRole('menuitem', { name: locale ? 'Verlauf' : 'Charts' }))
  const dialog = await screen.findByRole('dialog')
  return { ...rendered, dialog: within(dialog), asked }
}

/** The words of the table below the chart, row by row. */
const rows = () =>
  [...document.querySelectorAll<HTMLTableRowElement>('[role=dialog] tbody tr')].map((row) =>
    [...row.cells].map(({ textContent }) => textContent ?? ''),
  )

const openService = (answers: Answers = {}) =>
  open('service', { 'service/1/history': history, service: { services: { 1: summary } }, ...answers })

describe('The charts of a service', () => {
  it('show every server’s latency in a table, the one with most failures first', async () => {
    const { dialog } = await openService()
    await dialog.findByRole('heading', { name: 'Latency' })
    expect(rows()).toEqual([
      ['web-2', '66.66%', '7 ms', '5 ms', '6 ms', '7 ms'],
      ['web-1', '100%', '30 ms', '10 ms', '20 ms', '30 ms'],
    ])
    expect(FakePlot.newest?.plotData?.failures).toHaveLength(1)
    expect(dialog.getByText(/web-1: lowest 10 ms, average 20 ms, highest 30 ms, last 30 ms\./)).toBeTruthy()
  })

  it('describe the availability on each of the last 30 days', async () => {
    const { dialog } = await openService()
    await dialog.findByText('99.5% up')
    const days = dialog.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toMatch(/^\w+ \d+: 100% up, 0 failed checks$/)
    expect(days.at(-2)).toMatch(/: 99% up, 1 failed check$/)
    expect(days[0]).toMatch(/: not checked$/)
  })

  it('follow pointer and arrow keys, and report a failed check', async () => {
    const { dialog } = await openService()
    const slider = await dialog.findByRole('slider', { name: 'Point in time' })
    act(() => FakePlot.newest?.onPoint(now - hour + minute))
    expect(dialog.getByRole('columnheader', { name: 'At pointer' })).toBeTruthy()
    expect(rows().map((cells) => cells[2])).toEqual(['Failed', '20 ms'])
    fireEvent.change(slider, { target: { value: '2' } })
    expect(slider.getAttribute('aria-valuetext')).toMatch(/web-2 7 ms, web-1 30 ms$/)
    expect(FakePlot.newest?.pointed).toBe(now - hour + 2 * minute)
    fireEvent.blur(slider)
    expect(dialog.getByRole('columnheader', { name: 'Last' })).toBeTruthy()
  })

  it('report a failed last check instead of the value before it', async () => {
    const failing = seen(1, 'web-1', 50, checks(now - hour, [10, null]))
    const { dialog } = await openService({ 'service/1/history': { ...history, servers: [failing] } })
    await dialog.findByRole('slider')
    expect(rows()).toEqual([['web-1', '50%', 'Failed', '10 ms', '10 ms', '10 ms']])
  })

  it('hide a line and show it again in the same colour', async () => {
    const { dialog, user } = await openService()
    const name = await dialog.findByRole('button', { name: 'web-2' })
    const before = FakePlot.newest?.plotData?.lineStyles
    await user.click(name)
    expect(name.getAttribute('aria-pressed')).toBe('false')
    expect(FakePlot.newest?.plotData?.lineStyles).toEqual(before?.slice(1))
    expect(FakePlot.newest?.plotData?.failures).toEqual([])
    await user.click(name)
    expect(FakePlot.newest?.plotData?.lineStyles).toEqual(before)
  })

  it('are loaded again for another period, and stay on screen meanwhile', async () => {
    const { dialog, user, asked } = await openService()
    await dialog.findByRole('slider')
    await user.click(dialog.getByRole('button', { name: '30 days' }))
    expect(dialog.getByRole('slider')).toBeTruthy()
    await waitFor(() => expect(asked).toContain('service/1/history?period=30d'))
    expect(asked).toContain('service/1/history?period=1d')
  })

  it('draw eight of many lines at first, and find the others by name', async () => {
    const servers = Array.from({ length: 60 }, (_, index) =>
      seen(index + 1, `node-${index + 1}`, 100, checks(now, [1])),
    )
    const { dialog, user } = await openService({ 'service/1/history': { ...history, servers } })
    await dialog.findByRole('slider')
    expect(FakePlot.newest?.plotData?.lines).toHaveLength(8)
    expect(rows()).toHaveLength(50)
    expect(dialog.getByText('+ 10 more')).toBeTruthy()
    await user.type(dialog.getByRole('searchbox', { name: 'Search' }), 'node-60')
    expect(rows().map(([name]) => name)).toEqual(['node-60'])
    await user.click(dialog.getByRole('button', { name: 'node-60' }))
    expect(FakePlot.newest?.plotData?.lines).toHaveLength(9)
  })

  it('say when the first value is expected', async () => {
    const { dialog } = await openService({ 'service/1/history': { ...history, servers: [] }, service: {} })
    await dialog.findByText('Nothing measured yet. The first value arrives within 45 s.')
    await dialog.findByText('Never checked')
  })

  it('say that an old server keeps no history', async () => {
    const old = await openService({ 'service/1/history': refusal('404 Not Found', 404) })
    await old.dialog.findByText('This server keeps no history.')
    // All server versions send the days.
    await old.dialog.findByText('99.5% up')
  })

  it('say that a server keeps no history if that is switched off', async () => {
    const { dialog } = await openService({
      'service/1/history': { ...history, servers: [] },
      setting: { config: { language: 'en-US' }, tsdb_enabled: false },
    })
    await dialog.findByText('This server keeps no history.')
  })

  it('show the server’s message after an error, and load on Retry', async () => {
    const answers: Answers = { 'service/1/history': refusal('database is locked'), service: {} }
    const { dialog, user } = await open('service', answers)
    await dialog.findByText('The charts could not be loaded: database is locked')
    answers['service/1/history'] = history
    await user.click(button('Retry'))
    await dialog.findByRole('slider')
    expect(dialog.queryByText(/could not be loaded/)).toBeNull()
  })

  it('distinguish checks that are not permitted', async () => {
    const notPermitted = seen(3, 'web-3', 0, [])
    Object.assign(notPermitted.stats, { not_permitted: 4 })
    const { dialog } = await openService({
      'service/1/history': { ...history, servers: [notPermitted] },
      service: { services: { 1: { ...summary, current_up: 0, not_permitted: 1 } } },
    })
    await dialog.findByText('Not permitted to run this check: web-3')
    expect(dialog.queryByText(/Nothing measured yet/)).toBeNull()
    expect(screen.getByText(/^Not permitted$/, { exact: false, selector: '[data-health]' })).toBeTruthy()
  })

  it('are translated into German', async () => {
    const { dialog } = await open(
      'service',
      { 'service/1/history': history, service: { services: { 1: summary } } },
      { locale: 'de-DE' },
    )
    await dialog.findByText('99,5 % erreichbar')
    // The availability and the chart come by two calls, in either order.
    await waitFor(() => expect(rows()).not.toEqual([]))
    // Between value and sign is a space that does not break.
    expect(rows()[0]?.map((words) => words.replaceAll('\u00a0', ' '))).toEqual([
      ...['web-2', '66,66 %', '7 ms', '5 ms', '6 ms', '7 ms'],
    ])
  })
})

describe('The list of services', () => {
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
  ])('shows the health of a service: %s', async (_, service, text) => {
    await openService({ service: { services: { 1: service } } })
    await waitFor(() => expect(words()[0]).toBe(text))
  })
})

describe('The charts of a server', () => {
  const online = { id: 1, name: 'web-1', uuid: 'u-1', last_active: new Date(now).toISOString() }
  const course = (metric: string, values: readonly number[]) => ({
    server_id: 1,
    server_name: 'web-1',
    metric,
    data_points: values.map((value, index) => ({ ts: now - hour + index * minute, value })),
  })

  it('start with the CPU and show the chosen metric', async () => {
    const { dialog, user } = await open('server', {
      'server/1/metrics?metric=cpu': course('cpu', [1, 2, 3]),
      'server/1/metrics?metric=net_in_speed': course('net_in_speed', [1024, 2048]),
      'server/1/metrics?metric=net_out_speed': course('net_out_speed', [512, 1_048_576]),
    })
    await dialog.findByRole('heading', { name: 'CPU' })
    expect(rows()).toEqual([['CPU', '3%', '1%', '2%', '3%']])
    expect(FakePlot.newest?.plotData?.scale).toEqual([0, 10])
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Metric' }), 'Network speed')
    await dialog.findByRole('heading', { name: 'Network speed' })
    expect(rows().map((cells) => cells.slice(0, 2))).toEqual([
      ['Received', '2.0 KiB/s'],
      ['Sent', '1.0 MiB/s'],
    ])
  })

  it('show the latency of the services that the server checks', async () => {
    const { dialog, user } = await open('server', {
      'server/1/metrics': course('cpu', []),
      'server/1/service?period=1d': [
        {
          monitor_id: 4,
          server_id: 1,
          monitor_name: 'Site',
          server_name: 'web-1',
          display_index: 0,
          created_at: [now - hour, now],
          avg_delay: [3, 5],
        },
      ],
    })
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Metric' }), 'Checked services')
    await dialog.findByRole('heading', { name: 'Latency' })
    expect(rows()).toEqual([['Site', '5 ms', '3 ms', '4 ms', '5 ms']])
  })

  it('use the older endpoint of servers before v2.0.0', async () => {
    const { dialog, user } = await open('server', {
      'server/1/': refusal('404 Not Found', 404),
      'service/1': [
        { monitor_id: 4, server_id: 1, monitor_name: 'Site', server_name: 'web-1', created_at: [now], avg_delay: [3] },
      ],
    })
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Metric' }), 'Checked services')
    await waitFor(() => expect(rows()).toEqual([['Site', '3 ms', '3 ms', '3 ms', '3 ms']]))
  })

  it('say why there is no data: no history, not yet, or not reported', async () => {
    const answers: Answers = { 'server/1/metrics': course('cpu', []), server: [online] }
    const { dialog, user } = await open('server', answers)
    await dialog.findByText('Nothing measured yet. The first value arrives within 60 s.')
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Metric' }), 'Temperature')
    await dialog.findByText('Nothing measured: not every machine reports this metric.')
    answers['server/1/metrics'] = refusal('404 Not Found', 404)
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Metric' }), 'GPU')
    await dialog.findByText('This server keeps no history.')
  })

  it('say that the server is offline', async () => {
    const { dialog } = await open('server', {
      'server/1/metrics': course('cpu', []),
      server: [{ ...online, last_active: '0001-01-01T00:00:00Z' }],
    })
    await dialog.findByText('Nothing was measured in this period: the server is offline.')
  })

  it('remove their plot when they are closed', async () => {
    const { dialog, user } = await open('server', { 'server/1/metrics': course('cpu', [1, 2]) })
    await dialog.findByRole('slider')
    await user.click(dialog.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(FakePlot.newest?.isGone).toBe(true))
  })
})
