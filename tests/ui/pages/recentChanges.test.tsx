import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const change = (id: number, username: string, record_name: string) => ({
  id,
  at: '2026-11-21T00:00:00Z',
  entity: 'server-group',
  record_id: id,
  record_name,
  action: 'created',
  user_id: 2,
  username,
  fields: [{ name: 'name', to: record_name }],
})

it('Recent changes show what everybody did, with the way to the record', async () => {
  await renderConsole({
    path: '/dashboard/recent-changes',
    prepare: alterReplies('changes', () => ({
      value: [change(2, 'mara', 'Paris'), change(1, 'admin', 'Tokyo')],
      pagination: { offset: 0, limit: 25, total: 40 },
    })),
  })
  const everybody = within(await screen.findByRole('region', { name: 'By everybody' }))
  expect((await everybody.findByRole('link', { name: 'Paris' })).getAttribute('href')).toBe(
    '/dashboard/server-group/2/overview',
  )
  everybody.getByText(/mara/)
  everybody.getByText(/admin/)
  everybody.getByRole('button', { name: /25|2 of 40/ })
})

it('A server that keeps no changes shows those of this browser alone', async () => {
  await renderConsole({
    path: '/dashboard/recent-changes',
    prepare: alterReplies('setting', (data) => ({ ...(data as object), wheelhouse: undefined })),
  })
  await screen.findByRole('heading', { name: 'Recent changes' })
  await screen.findByText('Server 1.2.3')
  expect(screen.queryByRole('region', { name: 'By everybody' })).toBeNull()
})

const rule = { type: 'cpu', max: 90, duration: 10, cover: 1, ignore: { 1: true } }
const rules = [rule]
const check = {
  kind: 'http',
  method: 'GET',
  contains: 'ok',
  verify_tls: true,
  json: [{ path: '$.up', op: '==', value: 1 }],
}
const contract = { price: 12.5, currency: 'EUR', cycle: 'year', ends_at: '2027-03-01T00:00:00Z', quota_bytes: 2e12 }

const steps = [
  { after_min: 0, notification_group_id: 1 },
  { after_min: 15, rota_id: 1 },
]
const overrides = [
  { from: '2026-12-24', to: '2026-12-26', user_id: 1 },
  { from: '2027-01-01', to: '2027-01-01', user_id: 2 },
]

const said = {
  rules: 'CPU use stays above 90% for about 30 s, on web-1',
  check:
    'HTTP with rules\nMethod: GET\nText that must be there: ok\nThe certificate must be valid: Yes\nValues in JSON: $.up == 1',
  contract:
    'Price: €12.50\nPaid: Yearly\nEnds on: Mar 1, 2027\nTraffic included: 2 TB\nWhat counts: Both together\nDay of reset: 1',
  steps: 'at once: Operations\n15 min: Night watch',
  days: 'Mon, Sat',
  people: 'member, admin',
  overrides: 'Dec 24\u2009–\u200926, 2026: admin\nJan 1, 2027: member',
}

const operations = { name: 'Operations', notifications: [1], user_id: 1 }
const watch = {
  name: 'Night watch',
  people: [2, 1],
  handover: 1,
  weekday: 0,
  handover_at: '09:00',
  time_zone: '',
  starts_on: '2026-11-16',
  overrides: [],
  user_id: 1,
}
const records = { server: [{ name: 'web-1' }], 'notification-group': [operations], rota: [watch] }

it('The history says rules, checks, contracts, steps and exceptions as their screens do', async () => {
  const created = (id: number, entity: string, name: string, to: unknown) => ({
    ...change(id, 'admin', 'it'),
    entity,
    fields: [{ name, to }],
  })
  await renderConsole({
    path: '/dashboard/recent-changes',
    records,
    prepare: alterReplies('changes', () => ({
      value: [
        created(7, 'escalation', 'steps', steps),
        created(6, 'escalation', 'days', ['monday', 'saturday']),
        created(5, 'rota', 'people', [2, 1]),
        created(4, 'rota', 'overrides', overrides),
        created(3, 'alert-rule', 'rules', rules),
        created(2, 'service', 'check', check),
        created(1, 'server', 'contract', contract),
      ],
      pagination: { offset: 0, limit: 25, total: 7 },
    })),
  })
  const everybody = await screen.findByRole('region', { name: 'By everybody' })
  for (const text of Object.values(said)) await waitFor(() => expect(everybody.textContent).toContain(text))
  expect(everybody.textContent).not.toContain('{')
})

it('The history shows values that cannot be said as they are stored, and goes on', async () => {
  const stored = [
    ['alert-rule', 'rules', [{ type: { toString: 1 } }]],
    ['service', 'check', { kind: 'http', json: [{ path: { toString: 2 }, op: '==' }] }],
    ['server', 'contract', { price: 'much' }],
  ] as const
  await renderConsole({
    path: '/dashboard/recent-changes',
    prepare: alterReplies('changes', () => ({
      value: stored.map(([entity, name, to], at) => ({ ...change(at, 'admin', 'it'), entity, fields: [{ name, to }] })),
      pagination: { offset: 0, limit: 25, total: 7 },
    })),
  })
  const everybody = await screen.findByRole('region', { name: 'By everybody' })
  for (const [, , value] of stored) {
    await waitFor(() => expect(everybody.textContent).toContain(JSON.stringify(value, null, 1)))
  }
})

it('A plan says them so as well, with the names that the file has', async () => {
  const { user } = await renderConsole({
    path: '/dashboard/settings/configuration',
    records,
  })
  const file = JSON.stringify({
    server: [{ name: 'web-1', contract }],
    service: [{ name: 'page', type: 'http', target: 'https://example.org', check }],
    'alert-rule': [{ name: 'busy', rules: [{ ...rule, ignore: { 'web-1': true } }] }],
    escalation: [
      {
        name: 'Standard',
        steps: [
          { after_min: 0, notification_group_id: 'Operations' },
          { after_min: 15, rota_id: 'Night watch' },
        ],
        days: ['monday', 'saturday'],
      },
    ],
    rota: [
      {
        name: 'Day watch',
        people: ['member', 'admin'],
        starts_on: '2026-11-16',
        overrides: overrides.map((one) => ({ ...one, user_id: one.user_id === 1 ? 'admin' : 'member' })),
      },
    ],
  })
  const upload = new File([file], 'wheelhouse.yaml')
  await user.upload(await screen.findByLabelText(/^Choose a file/), upload)
  await user.click(screen.getByRole('button', { name: 'Show plan' }))
  // Words of a choice are those of the file.
  const { days: _, ...inPlans } = said
  for (const text of Object.values(inPlans)) await waitFor(() => expect(document.body.textContent).toContain(text))
})

it('A plan says names that are numbers as they are, and not of whom they are the id', async () => {
  const { user } = await renderConsole({
    path: '/dashboard/settings/configuration',
    records: { server: [{ name: 'web-1' }, { name: '1' }] },
  })
  const file =
    'alert-rule: [{ name: busy, rules: [{ type: cpu, max: 90, duration: 10, cover: 1, ignore: { 1: true } }] }]'
  await user.upload(await screen.findByLabelText(/^Choose a file/), new File([file], 'wheelhouse.yaml'))
  await user.click(screen.getByRole('button', { name: 'Show plan' }))
  await screen.findByText('CPU use stays above 90% for about 30 s, on 1')
})
