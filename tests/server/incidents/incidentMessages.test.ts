import { describe, expect, it } from 'vitest'
import { incidentMessagesFixture } from '../../support/server/fixtures/incidentMessagesFixture.ts'

const link = (id: number) => `https://console.example.org/dashboard/incident/${id}/overview`
const busy = (server: number, id = server) =>
  ({ kind: 'alarm', id, server_id: server, rule_id: 7, rule_name: 'CPU', name: `web-${server} CPU` }) as const
const down = (service: number) => ({ kind: 'outage', service_id: service, name: `shop ${service}` }) as const
const gone = (server: number) =>
  ({ kind: 'alarm', id: server, server_id: server, rule_id: 9, is_gone: true, name: `web-${server} away` }) as const

describe('a notifier group is told of an incident', () => {
  it('once when it has settled, and once when it is over, in the words of what it is about', () => {
    const { begin, end, pass, told } = incidentMessagesFixture()
    begin(busy(1), '[Incident] web-1 CPU\nCPU use 97% (limit 90%) for 9 sec')
    pass(19)
    expect(told()).toEqual([])
    pass(1)
    expect(told()).toEqual([`[Incident] web-1 CPU\nCPU use 97% (limit 90%) for 9 sec\n${link(1)}`])
    pass(300)
    end(busy(1))
    expect(told().slice(1)).toEqual([`[Resolved] web-1 CPU\n${link(1)}`])
    pass(1000)
    expect(told()).toHaveLength(2)
  })

  it('with what belongs to it, and with what it stands on', () => {
    const { begin, end, pass, told } = incidentMessagesFixture()
    begin(down(1))
    for (const server of [1, 2, 3]) begin(gone(server))
    begin({ ...down(2), server_id: 3 })
    pass(20)
    expect(told()).toHaveLength(2)
    expect(told()[1]).toBe(
      `[Incident] 3 servers are offline\nweb-1 away, web-2 away, web-3 away\nwith it: shop 2\n${link(2)}`,
    )
    pass(60)
    for (const server of [1, 2, 3]) end(gone(server))
    expect(told()).toHaveLength(2)
    end({ ...down(2), server_id: 3 })
    expect(told()[2]).toBe(`[Resolved] 3 servers are offline\nafter 1 min 20 sec\n${link(2)}`)
  })

  it('of what is left of it only when that lasts', () => {
    const { begin, end, pass, told } = incidentMessagesFixture()
    const shop = (service: number) => ({ ...down(service), server_id: 1 })
    begin(gone(1))
    pass(60)
    end(gone(1))
    pass(30)
    begin(shop(1))
    begin(shop(2))
    pass(60)
    end(shop(1))
    pass(29)
    expect(told().map((text) => text.split('\n')[0])).toEqual(['[Incident] web-1 away', '[Resolved] web-1 away'])
    pass(60)
    end(shop(2))
    expect(told().slice(2)).toEqual([`[Incident] shop 2\n${link(1)}`, `[Resolved] shop 2\n${link(1)}`])
  })

  it('in one message that it began and is over, if it was over before it could be told', () => {
    const { begin, end, pass, told } = incidentMessagesFixture()
    begin(busy(1))
    pass(12)
    end(busy(1))
    pass(100)
    expect(told()).toEqual([`[Incident] web-1 CPU\nalready over, after 12 sec\n${link(1)}`])
  })

  it('at most every ten minutes that it grows', () => {
    const { begin, pass, sent, clock } = incidentMessagesFixture()
    const start = clock.now
    for (const server of [1, 2, 3]) begin(busy(server))
    for (let server = 4; server < 16; server++) {
      pass(100)
      begin(busy(server))
    }
    pass(700)
    expect(sent.map(({ at }) => (at - start) / 1000)).toEqual([20, 620, 1220])
    expect(sent[1]?.message).toMatch(/^\[Incident\] CPU on 9 servers\nnew since the last message: web-4 CPU, /)
  })

  it('again by a rule that repeats, with growing pauses, until somebody is on it', () => {
    const { begin, pass, lasts, incidentOf, incidents, told } = incidentMessagesFixture()
    begin(busy(1))
    const hour = () => {
      for (let minute = 0; minute < 60; minute++) {
        pass(60)
        lasts(busy(1))
      }
    }
    hour()
    expect(told().slice(1)).toEqual([
      `[Incident] web-1 CPU lasts\n${link(1)}`,
      `[Incident] web-1 CPU lasts\n${link(1)}`,
    ])
    const incident = incidentOf(busy(1))
    // Nobody is said to have been told who was not.
    expect(incident?.notices.map(({ kind }) => kind)).toEqual(['opened', 'repeated', 'repeated'])
    if (incident) incidents.acknowledge(incident, 'ann', '')
    for (let hours = 0; hours < 24; hours++) hour()
    expect(told()).toHaveLength(3)
    if (incident) incidents.unacknowledge(incident, 'ann')
    hour()
    expect(told().length).toBeGreaterThan(3)
  })

  it('that it was withdrawn, once, if people knew of it', () => {
    const { begin, pass, withdraw, told } = incidentMessagesFixture()
    begin(busy(1))
    withdraw(busy(1))
    pass(30)
    expect(told()).toEqual([])
    begin(down(1))
    pass(30)
    withdraw(down(1))
    pass(30)
    expect(told().slice(1)).toEqual([`[Withdrawn] shop 1: what it was about was changed or deleted\n${link(2)}`])
  })

  it('who has resolved it by hand', () => {
    const { begin, pass, incidentOf, incidents, lasts, end, told } = incidentMessagesFixture()
    begin(busy(1))
    pass(60)
    const incident = incidentOf(busy(1))
    if (incident) incidents.resolve(incident, 'ann', '')
    pass(5)
    lasts(busy(1))
    end(busy(1))
    expect(told().slice(1)).toEqual([`[Resolved] web-1 CPU\nafter 1 min\nresolved by ann\n${link(1)}`])
  })
})

it('a group that wants one message for each alarm is told of each at once', () => {
  const { begin, end, pass, told } = incidentMessagesFixture({ group: { messages: 1 } })
  for (const server of [1, 2, 3]) begin(gone(server))
  expect(told().map((message) => message.split('\n')[0])).toEqual([
    '[Incident] web-1 away',
    '[Incident] web-2 away',
    '[Incident] web-3 away',
  ])
  pass(60)
  for (const server of [1, 2, 3]) end(gone(server))
  pass(1000)
  expect(told()).toHaveLength(6)
  expect(told()[5]).toBe(`[Resolved] web-3 away\n${link(1)}`)
})

describe('what begins and ends again and again', () => {
  it('is told at the fifth change within half an hour, and then once when it has been quiet', () => {
    const { begin, end, pass, told } = incidentMessagesFixture()
    for (let id = 1; id <= 40; id++) {
      begin(busy(1, id))
      pass(60)
      end(busy(1, id))
      pass(60)
    }
    const line = (text: string) => text.split('\n')[0]
    const began = ['[Incident] web-1 CPU', '[Resolved] web-1 CPU']
    const flapping =
      '[Flapping] web-1 CPU: 5 changes in 30 minutes; nothing more is sent until it has been quiet for 15 minutes'
    expect(told().map(line)).toEqual([...began, ...began, flapping])
    pass(900)
    expect(told().slice(5)).toEqual([`[Resolved] web-1 CPU\nquiet for 15 minutes\n${link(40)}`])
    pass(3600)
    begin(busy(1, 41))
    pass(20)
    expect(told()).toHaveLength(7)
  })

  it('is told to last if it does, also after a restart, and then that it is over', () => {
    const before = incidentMessagesFixture()
    const [other, one] = [before, down(1)]
    for (let count = 0; count < 3; count++) {
      other.begin(one)
      other.pass(30)
      if (count < 2) other.end(one)
    }
    before.incidents.flush()
    before.telling.flush()
    const after = incidentMessagesFixture({ store: before.store, clock: before.clock })
    after.telling.start()
    after.lasts(one, false)
    after.pass(900)
    expect(after.told()).toEqual([`[Incident] shop 1: no longer changes, and lasts\n${link(3)}`])
    after.pass(3600)
    after.end(one)
    expect(after.told().slice(1)).toEqual([`[Resolved] shop 1\n${link(3)}`])
  })

  it('is told each time to a group that wants one message for each alarm', () => {
    const { begin, end, pass, told } = incidentMessagesFixture({ group: { messages: 1 } })
    for (let id = 1; id <= 10; id++) {
      begin(busy(1, id))
      pass(30)
      end(busy(1, id))
    }
    expect(told()).toHaveLength(20)
  })
})

describe('after a restart', () => {
  it('what waited is told, what was told is not told again, and what ended meanwhile is', () => {
    const before = incidentMessagesFixture()
    before.telling.start()
    before.begin(busy(1))
    before.pass(21)
    before.begin(down(1))
    before.begin(down(2))
    before.incidents.flush()
    before.telling.flush()
    const after = incidentMessagesFixture({ store: before.store, clock: before.clock })
    // Its alarm ended just before the server was killed.
    after.incidents.end({ ...busy(1), service_id: 0 }, false)
    after.telling.start()
    after.lasts(down(1), false)
    after.pass(30)
    after.lasts(down(2), false)
    expect(after.told().map((message) => message.split('\n')[0])).toEqual([
      '[Resolved] web-1 CPU',
      '[Incident] shop 1',
      '[Incident] shop 2',
    ])
  })

  it('what was never written down is told, but nothing that an older version has told', () => {
    const old = incidentMessagesFixture()
    old.incidents.begin({ ...busy(1), service_id: 0, owner_id: 1, host: '', is_gone: false, started_at: 0 })
    old.telling.start()
    old.lasts(busy(1), false)
    old.pass(30)
    expect(old.told()).toEqual([])
    old.end(busy(1))
    expect(old.told()).toHaveLength(1)
    const next = incidentMessagesFixture({ store: old.store, clock: old.clock })
    next.telling.start()
    next.incidents.begin({ ...busy(2), service_id: 0, owner_id: 1, host: '', is_gone: false, started_at: 0 })
    next.lasts(busy(2), false)
    next.pass(30)
    expect(next.told()).toEqual([`[Incident] web-2 CPU lasts\n${link(2)}`])
  })
})

it('a clock that is set back by a day holds nothing up', () => {
  const { begin, pass, clock, told } = incidentMessagesFixture()
  begin(busy(1))
  pass(5)
  clock.now -= 86_400_000
  pass(2)
  expect(told()).toHaveLength(1)
})

describe('a group that wants snapshots is told in three lines what the server said', () => {
  const lines = ['most CPU: yes 99%', 'most memory: postgres 3 GiB', 'fullest disks: / 97%']

  function snapshotFixture(group: { messages?: number; settle?: number; snapshot?: boolean }) {
    const pending = new Set<number>()
    const snapshots = { isPending: (id: number) => pending.has(id), linesFor: () => lines }
    return { pending, ...incidentMessagesFixture({ group, snapshots }) }
  }

  it('above the link, when the incident has settled', () => {
    const { begin, pass, told } = snapshotFixture({ snapshot: true })
    begin(busy(1), '[Incident] web-1 CPU')
    pass(20)
    expect(told()).toEqual([['[Incident] web-1 CPU', ...lines, link(1)].join('\n')])
  })

  it('at most five seconds later where it would be told at once', () => {
    const { begin, pass, pending, told } = snapshotFixture({ messages: 1, snapshot: true })
    pending.add(1)
    begin(busy(1), '[Incident] web-1 CPU')
    pass(4)
    expect(told()).toEqual([])
    pass(1)
    expect(told()).toHaveLength(1)
    begin(busy(2), '[Incident] web-2 CPU')
    expect(told()).toHaveLength(2)
  })

  it('but not of one among several servers', () => {
    const { begin, pass, told } = snapshotFixture({ snapshot: true })
    for (const server of [1, 2, 3]) begin(busy(server))
    pass(20)
    expect(told()).toHaveLength(1)
    expect(told()[0]).not.toContain('postgres')
  })

  it('and no other group is, or waits for it', () => {
    const { begin, pending, told } = snapshotFixture({ messages: 1 })
    pending.add(1)
    begin(busy(1), '[Incident] web-1 CPU')
    expect(told()).toEqual([`[Incident] web-1 CPU\n${link(1)}`])
  })
})
