import { afterEach, describe, expect, it } from 'vitest'
import { findTrouble, type TroubleSources } from '../../../src/domain/trouble/findTrouble.ts'
import { LiveFeed } from '../../../src/live/liveFeed.ts'
import { setTrouble, troubleRank, troubleRanks } from '../../../src/live/trouble.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const minutes = (count: number) => now - count * 60_000
const iso = (at: number) => new Date(at).toISOString()

const nothing: TroubleSources = {
  now,
  offline: [],
  fullDisks: [],
  shared: [],
  alarms: [],
  services: [],
  agents: [],
  notifiers: [],
  warnings: [],
  silences: { server: new Set(), service: new Set() },
}
const find = (sources: Partial<TroubleSources>) => findTrouble({ ...nothing, ...sources })

const alarm = (id: number, server_id: number, more = {}) => ({
  id,
  server_id,
  server_name: `web-${server_id}`,
  rule_id: 5,
  rule_name: 'CPU',
  causes: [{ type: 'cpu', value: 97, max: 90 }],
  started_at: iso(minutes(id)),
  ...more,
})
const service = (id: number, more = {}) => ({ id, name: `shop-${id}`, isDown: false, problem: '', ...more })

describe('What is wrong now', () => {
  it('has a full disk without a rule, and once where a rule says it', () => {
    const fullDisks = [
      { id: 1, name: 'db-1', percent: 98 },
      { id: 2, name: 'db-2', percent: 99 },
    ]
    const alarms = [alarm(4, 2, { causes: [{ type: 'disk', value: 99, max: 90 }] })]
    expect(find({ fullDisks, alarms })).toMatchObject([
      { key: 'alarm 4', server_id: 2 },
      { key: 'disk 1', kind: 'disk_full', severity: 'alarm', name: 'db-1', server_id: 1, percent: 98 },
    ])
    const silences = { server: new Set([1]), service: new Set<number>() }
    expect(find({ fullDisks, silences }).map(({ severity }) => severity)).toEqual(['alarm', 'silenced'])
  })

  it('has used up traffic and contracts that end, unless the server is muted', () => {
    const contracts = [
      { key: 'traffic 1', kind: 'traffic_used', severity: 'warning', name: 'a', server_id: 1, percent: 112 },
      { key: 'contract 2', kind: 'contract_end', severity: 'warning', name: 'b', server_id: 2, expires_at: now },
    ] as const
    const silences = { server: new Set([1]), service: new Set<number>() }
    expect(find({ contracts, silences })).toMatchObject([
      { key: 'contract 2', severity: 'warning' },
      { key: 'traffic 1', severity: 'silenced', percent: 112 },
    ])
  })

  it('is nothing where nothing is', () => {
    expect(find({ services: [service(1, { certificateEnd: now + 8 * 86_400_000 })] })).toEqual([])
  })

  it('has the worst first, and of that the newest; what began at an unknown time is last of its kind', () => {
    const found = find({
      offline: [
        { id: 1, name: 'db-1', since: minutes(60) },
        { id: 2, name: 'db-2', since: minutes(5) },
        { id: 3, name: 'db-3' },
      ],
      alarms: [alarm(4, 7), alarm(3, 8)],
      services: [service(1, { isDown: true, downSince: minutes(30), certificateEnd: now + 5 * 86_400_000 })],
      agents: [{ uuid: 'u', name: 'old', deleted_at: '', called_at: iso(minutes(1)), address: '192.0.2.1' }],
      warnings: ['backup_failed', 'disk_full'],
    })
    expect(found.map(({ key }) => key)).toEqual([
      'server 2',
      'service 1',
      'server 1',
      'console disk_full',
      'server 3',
      'alarm 3',
      'alarm 4',
      'agent u',
      'certificate 1',
      'console backup_failed',
    ])
  })

  it('counts the alarms of a server that is offline as a part of that', () => {
    const found = find({ offline: [{ id: 7, name: 'web-7' }], alarms: [alarm(1, 7), alarm(2, 8)] })
    expect(found.map(({ key }) => key)).toEqual(['server 7', 'alarm 2'])
  })

  it('puts last what is muted or in maintenance', () => {
    const found = find({
      offline: [{ id: 1, name: 'db-1' }],
      alarms: [alarm(1, 7, { silenced: 'muted' }), alarm(2, 8)],
      services: [service(3, { isDown: true })],
      silences: { server: new Set([1]), service: new Set([3]) },
    })
    expect(found.map(({ key, severity }) => [key, severity])).toEqual([
      ['alarm 2', 'alarm'],
      ['alarm 1', 'silenced'],
      ['server 1', 'silenced'],
      ['service 3', 'silenced'],
    ])
  })

  it('has a notifier that did not deliver something, with the reply, and none that has', () => {
    const notifiers = [
      { id: 1, name: 'chat', undelivered_at: iso(minutes(5)), undelivered_cause: '500 out of order' },
      { id: 2, name: 'pager' },
    ]
    expect(find({ notifiers })).toEqual([
      {
        key: 'notifier 1',
        kind: 'undelivered',
        severity: 'alarm',
        name: 'chat',
        since: minutes(5),
        notification_id: 1,
        problem: '500 out of order',
      },
    ])
  })

  it('forgets an agent that has given up, and warns of a certificate until it has expired, which is worse', () => {
    const found = find({
      agents: [
        { uuid: 'u', deleted_at: '', called_at: iso(minutes(11)) },
        { uuid: 'v', deleted_at: '' },
      ],
      services: [service(1, { certificateEnd: now - 1 }), service(2, { certificateEnd: now + 1 })],
    })
    expect(found.map(({ key, severity }) => [key, severity])).toEqual([
      ['certificate 1', 'alarm'],
      ['certificate 2', 'warning'],
    ])
  })
})

describe('The order of servers that begins with trouble', () => {
  afterEach(() => setTrouble(undefined))
  const rank = (id: number) => troubleRank({ id, last_active: iso(now) })

  it('is offline, alarm, warning and all else', () => {
    setTrouble(
      find({
        offline: [
          { id: 1, name: 'a' },
          { id: 4, name: 'd' },
        ],
        alarms: [alarm(1, 2)],
        shared: [{ id: 3, name: 'c', addresses: ['192.0.2.1', '192.0.2.2'] }],
        silences: { server: new Set([4]), service: new Set() },
      }),
    )
    expect([1, 2, 3, 4, 5].map(rank)).toEqual([0, 1, 2, 2, 3])
  })

  it('begins with the servers whose records say that they are offline, before anybody has looked', () => {
    expect(troubleRank({ id: 1, last_active: '0001-01-01T00:00:00Z' })).toBe(0)
    setTrouble([])
    expect(troubleRank({ id: 1, last_active: '0001-01-01T00:00:00Z' })).toBe(3)
  })

  it('changes when trouble begins or ends, and not with what is said of it', () => {
    setTrouble(find({ alarms: [alarm(1, 2)] }))
    const before = troubleRanks.version()
    setTrouble(find({ alarms: [alarm(1, 2, { causes: [{ type: 'cpu', value: 99, max: 90 }] })] }))
    setTrouble(find({ alarms: [alarm(1, 2)], services: [service(1, { isDown: true })] }))
    expect(troubleRanks.version()).toBe(before)
    setTrouble(find({}))
    expect(troubleRanks.version()).toBe(before + 1)
  })
})

describe('The live feed', () => {
  const frame = (at: number, ...offline: number[]) =>
    JSON.stringify({
      now: at,
      servers: [1, 2, 3].map((id) => ({ id, last_active: iso(offline.includes(id) ? minutes(3) : at - 1000) })),
    })

  it('says which servers are offline, on screen or not, when that has changed', () => {
    const feed = new LiveFeed()
    expect(feed.read(frame(now))?.offline).toEqual(new Map())
    expect(feed.read(frame(now + 2000))?.offline).toBeUndefined()
    expect(feed.read(frame(now + 4000, 2))?.offline).toEqual(new Map([[2, minutes(3)]]))
    expect(feed.read(frame(now + 6000, 2))?.offline).toBeUndefined()
    expect(feed.read(frame(now + 8000))?.offline).toEqual(new Map())
  })
})
