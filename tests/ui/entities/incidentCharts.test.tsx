import { screen, waitFor, within } from '@testing-library/react'
import type { FastifyInstance } from 'fastify'
import { beforeEach, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { hour, minute, resetPlots } from '../../support/console/overviewPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { FakePlot } from '../../support/fakes/fakePlot.ts'

const now = Date.now()
const at = (before: number) => new Date(now - before).toISOString()
const part = { id: 7, server_id: 1, service_id: 0, rule_id: 1, role: 'cause' }
const parts = [
  { ...part, kind: 'outage', server_id: 0, service_id: 1, rule_id: 0, name: 'Site', role: 'consequence' },
  { ...part, kind: 'alarm', name: 'web-1 full' },
]
const open = async (started: number, ended: number) => {
  const times = { started_at: at(started), ended_at: at(ended) }
  const incident = {
    id: 4,
    title: 'web-1 full',
    state: 'resolved',
    started_at: at(started),
    resolved_at: at(ended),
    parts: parts.map((one) => ({ ...one, ...times })),
  }
  const measured = [40, 50, 60].map((value, index) => ({ ts: now - started + index * minute, value }))
  const answers = [
    alterReplies('wheelhouse/incidents/4', () => incident),
    alterReplies('server/1/metrics', () => ({ server_id: 1, metric: 'load1', data_points: measured })),
    alterReplies('service/1/history', () => ({
      service_id: 1,
      servers: [
        {
          server_id: 1,
          server_name: 'web-1',
          stats: { data_points: measured.map(({ ts }) => ({ ts, delay: 5, status: 1 })) },
        },
      ],
    })),
  ]
  return renderConsole({
    path: '/dashboard/incident/4/overview',
    records: {
      server: [{ name: 'web-1', uuid: 'u-1' }],
      service: [{ name: 'Site', type: 3, target: '127.0.0.1:1', duration: 45, max_latency: 8 }],
      'alert-rule': [{ name: 'Full', enable: true, rules: [{ type: 'load1', max: 70, cover: 0, ignore: {} }] }],
    },
    prepare: (app: FastifyInstance) => {
      for (const alter of answers) alter(app)
    },
  })
}

beforeEach(resetPlots)

const boundOf = ({ plotData }: FakePlot) => plotData?.bounds?.[0] ?? 0

it('the page of an incident shows what it is about around its time, causes first, with its parts marked', async () => {
  await open(3 * hour, hour)
  const panel = within(await screen.findByRole('region', { name: 'What was measured' }))
  await waitFor(() => expect(FakePlot.shown).toHaveLength(2))
  expect(panel.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'web-1: Load',
    'Site: Latency',
  ])
  const mark = { from: Date.parse(at(3 * hour)), to: Date.parse(at(hour)) }
  // Whichever is measured first is drawn first: the order on the page is that of the headings.
  const drawn = () =>
    FakePlot.shown.toSorted((one, other) => boundOf(other) - boundOf(one)).map(({ plotData }) => plotData)
  await waitFor(() => expect(drawn().map((data) => data?.bounds)).toEqual([[70], [8]]))
  expect(drawn().map((data) => data?.marks)).toEqual([
    [{ ...mark, kind: 'alarm', text: 'web-1 full', about: ['load1'] }],
    [{ ...mark, kind: 'outage', text: 'Site' }],
  ])
  for (const { plotData } of FakePlot.shown) {
    expect(plotData?.span.from).toBe(mark.from - hour)
    expect(plotData?.span.to).toBeGreaterThan(mark.to)
  }
})

it('the page of an incident from before any history has no charts', async () => {
  await open(100 * 24 * hour, 99 * 24 * hour)
  await screen.findByRole('region', { name: 'What went wrong' })
  expect(screen.queryByRole('region', { name: 'What was measured' })).toBeNull()
})
