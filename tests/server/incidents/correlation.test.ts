import { describe, expect, it } from 'vitest'
import { incidentLimits } from '../../../server/incidents/incidentTable.ts'
import { incidentFixture } from '../../support/server/fixtures/incidentFixture.ts'

describe('what belongs to a server that is gone', () => {
  it('is a consequence, also when it began up to a minute before', () => {
    const { begin, pass, shown } = incidentFixture()
    begin({ kind: 'alarm', id: 1, server_id: 1, rule_id: 7, name: 'web-1 CPU' })
    pass(50)
    begin({ kind: 'offline', server_id: 1, is_gone: true, name: 'web-1 is offline' })
    pass(30)
    begin({ kind: 'outage', id: 3, server_id: 1, service_id: 5, name: 'shop' })
    expect(shown()).toEqual([
      'open web-1 is offline: web-1 CPU (consequence), web-1 is offline (cause), shop (consequence)',
    ])
  })

  it('is the trouble of its names as well', () => {
    const { begin, end, pass, shown } = incidentFixture()
    const name = { kind: 'ddns', id: 2, server_id: 1, record: 'www.example.org (A)', name: 'DDNS www' } as const
    begin({ kind: 'offline', server_id: 1, is_gone: true, name: 'web-1 is offline' })
    pass(10)
    begin(name)
    begin({ ...name, record: 'www.example.org (AAAA)', name: 'DDNS www 6' })
    expect(shown()).toEqual([
      'open web-1 is offline: web-1 is offline (cause), DDNS www (consequence), DDNS www 6 (consequence)',
    ])
    end({ kind: 'offline', server_id: 1 })
    end(name)
    pass(121)
    expect(shown()).toEqual([
      'open web-1 is offline and 1 more: web-1 is offline (cause), DDNS www (consequence), DDNS www 6 (cause)',
    ])
  })

  it('is a thing of its own when it began earlier', () => {
    const { begin, pass, shown } = incidentFixture()
    begin({ kind: 'alarm', id: 1, server_id: 1, rule_id: 7, name: 'web-1 CPU' })
    pass(61)
    begin({ kind: 'offline', server_id: 1, is_gone: true, name: 'web-1 is offline' })
    expect(shown()).toHaveLength(2)
  })

  it('is one thing when a rule and the console both notice that it is gone', () => {
    const { begin, shown } = incidentFixture()
    begin({ kind: 'offline', server_id: 1, is_gone: true, name: 'web-1 is offline' })
    begin({ kind: 'alarm', id: 1, server_id: 1, rule_id: 7, is_gone: true, name: 'web-1 away' })
    expect(shown()).toHaveLength(1)
  })
})

describe('what depends on something', () => {
  it('is a consequence while that is down, over several steps', () => {
    const { begin, shown, depend } = incidentFixture()
    depend('service 5', 'service 4')
    depend('service 4', 'server 1')
    begin({ kind: 'outage', id: 1, service_id: 5, name: 'shop' })
    begin({ kind: 'outage', id: 2, service_id: 4, name: 'database' })
    begin({ kind: 'offline', server_id: 1, is_gone: true, name: 'router is offline' })
    expect(shown()).toEqual([
      'open router is offline: shop (consequence), database (consequence), router is offline (cause)',
    ])
  })

  it('becomes a cause two minutes after its cause has ended', () => {
    const { begin, end, pass, shown, depend } = incidentFixture()
    depend('service 5', 'server 1')
    begin({ kind: 'offline', server_id: 1, is_gone: true, name: 'router is offline' })
    begin({ kind: 'outage', id: 1, service_id: 5, name: 'shop' })
    end({ kind: 'offline', server_id: 1 })
    pass(119)
    expect(shown()).toEqual(['open router is offline: router is offline (cause), shop (consequence)'])
    pass(2)
    expect(shown()).toEqual(['open router is offline and 1 more: router is offline (cause), shop (cause)'])
    end({ kind: 'outage', id: 1, service_id: 5 })
    expect(shown()[0]).toMatch(/^resolved /)
  })
})

describe('what begins or lasts after a server is back', () => {
  const gone = (server_id: number) =>
    ({ kind: 'offline', server_id, is_gone: true, name: `web-${server_id} is offline` }) as const
  const shop = (server_id = 1) => ({ kind: 'outage', id: 1, server_id, service_id: 5, name: 'shop' }) as const

  it('belongs to the incident of that server, which is open again, for two minutes', () => {
    const { begin, end, pass, shown, incidents } = incidentFixture()
    begin(gone(1))
    end(gone(1))
    pass(119)
    begin(shop())
    expect(shown()).toEqual(['open web-1 is offline: web-1 is offline (cause), shop (consequence)'])
    expect(incidents.all()[0]?.entries).toMatchObject([{ kind: 'reopened', text: 'shop' }])
    end(shop())
    expect(shown()[0]).toMatch(/^resolved /)
    pass(2)
    begin(shop())
    expect(shown()[1]).toBe('open shop: shop (cause)')
  })

  it('is a cause two minutes after it could have been seen to be well', () => {
    const { begin, end, pass, shown, noticedMs } = incidentFixture()
    noticedMs.set(5, 60_000)
    begin(gone(1))
    end(gone(1))
    pass(150)
    begin(shop())
    pass(29)
    expect(shown()).toEqual(['open web-1 is offline: web-1 is offline (cause), shop (consequence)'])
    pass(1)
    expect(shown()).toEqual(['open web-1 is offline and 1 more: web-1 is offline (cause), shop (cause)'])
  })

  it('is a cause, too, while other servers of the incident are still gone', () => {
    const { begin, end, pass, shown } = incidentFixture()
    for (const id of [1, 2, 3]) begin(gone(id))
    end(gone(1))
    begin(shop())
    expect(shown()[0]).toMatch(/shop \(consequence\)$/)
    pass(120)
    expect(shown()).toHaveLength(1)
    expect(shown()[0]).toMatch(/^open 3 servers are offline and 1 more: .* shop \(cause\)$/)
  })

  it('is a thing of its own when somebody has resolved the incident by hand', () => {
    const { begin, shown, incidents } = incidentFixture()
    const incident = begin(gone(1))
    incidents.resolve(incident, 'ann', '')
    begin(shop())
    expect(shown()).toHaveLength(2)
  })

  it('is known also after a restart of the console', () => {
    const before = incidentFixture()
    before.begin(gone(1))
    before.end(gone(1))
    before.incidents.flush()
    const { begin, shown } = incidentFixture(before.store)
    begin(shop())
    expect(shown()).toEqual(['open web-1 is offline: web-1 is offline (cause), shop (consequence)'])
  })
})

it('an incident that has become part of another one is found under its own id, also after a restart', () => {
  const { begin, incidents, store } = incidentFixture()
  const gone = { kind: 'offline', is_gone: true } as const
  const [first, second] = [1, 2].map((server_id) => begin({ ...gone, server_id, name: `web-${server_id} is offline` }))
  begin({ ...gone, server_id: 3, name: 'web-3 is offline' })
  expect(incidents.get(second?.id ?? 0)).toBe(first)
  incidents.flush()
  const after = incidentFixture(store)
  expect(after.incidents.get(second?.id ?? 0)).toMatchObject({ id: first?.id, title: '3 servers are offline' })
  expect(after.begin({ kind: 'outage', service_id: 9, name: 'shop' }).id).toBeGreaterThan(second?.id ?? 0)
})

describe('what is alike', () => {
  it('is one incident from three servers on, within two minutes', () => {
    const { begin, pass, shown } = incidentFixture()
    const busy = (server_id: number) =>
      begin({ kind: 'alarm', id: server_id, server_id, rule_id: 7, rule_name: 'CPU', name: `web-${server_id} CPU` })
    busy(1)
    pass(50)
    busy(2)
    expect(shown()).toHaveLength(2)
    pass(50)
    busy(3)
    expect(shown()).toEqual(['open CPU on 3 servers: web-1 CPU (cause), web-2 CPU (cause), web-3 CPU (cause)'])
    pass(100)
    busy(4)
    expect(shown()).toHaveLength(1)
    pass(130)
    busy(5)
    expect(shown()).toHaveLength(2)
  })

  it('is not one incident for different rules, or later', () => {
    const { begin, pass, shown } = incidentFixture()
    for (const id of [1, 2, 3]) begin({ kind: 'alarm', id, server_id: id, rule_id: id, name: `rule ${id}` })
    pass(300)
    for (const id of [4, 5]) begin({ kind: 'alarm', id, server_id: id, rule_id: 1, name: `rule ${id}` })
    expect(shown()).toHaveLength(5)
  })

  it('is one incident for services at one host', () => {
    const { begin, shown } = incidentFixture()
    for (const id of [1, 2, 3]) {
      begin({ kind: 'outage', id, service_id: id, host: 'db.example', name: `port ${id}` })
    }
    expect(shown()[0]).toMatch(/^open 3 services at db\.example are down: /)
    expect(shown()).toHaveLength(1)
  })

  it('is not one incident with what others own', () => {
    const { begin, shown } = incidentFixture()
    for (const id of [1, 2]) begin({ kind: 'outage', id, service_id: id, host: 'db.example', name: `port ${id}` })
    for (const server_id of [1, 2]) begin({ kind: 'offline', server_id, is_gone: true, name: `web ${server_id}` })
    begin({ kind: 'outage', id: 3, service_id: 3, owner_id: 2, host: 'db.example', name: 'port 3' })
    begin({ kind: 'offline', server_id: 3, owner_id: 2, is_gone: true, name: 'web 3' })
    expect(shown()).toHaveLength(6)
  })
})

it('an owner with very many incidents loses own ones, and drives out none of others', () => {
  const { begin, end, incidents } = incidentFixture()
  const flap = (owner_id: number, count: number) => {
    for (let round = 0; round < count; round++) {
      begin({ kind: 'outage', id: 1, service_id: owner_id, owner_id, name: `of ${owner_id}` })
      end({ kind: 'outage', id: 1, service_id: owner_id })
    }
  }
  const countOf = (owner: number) => incidents.all().filter(({ parts }) => parts[0]?.owner_id === owner).length
  flap(1, incidentLimits.count - incidentLimits.ofOwner)
  flap(2, incidentLimits.ofOwner + 50)
  incidents.flush()
  expect([countOf(1), countOf(2)]).toEqual([incidentLimits.count - incidentLimits.ofOwner, incidentLimits.ofOwner])
  expect(incidents.all()[0]?.id).toBe(incidentLimits.count + 50)
})

it('what was resolved is kept for 400 days', () => {
  const { incidents, clock, begin, end, shown } = incidentFixture()
  const day = 86_400_000
  const alarm = (id: number) => ({ kind: 'alarm', id, server_id: id, rule_id: id, name: `alarm ${id}` }) as const
  begin(alarm(1))
  end(alarm(1))
  begin(alarm(2))
  clock.now += 400 * day
  begin(alarm(3))
  incidents.flush()
  expect(shown()).toHaveLength(3)
  clock.now += day
  begin(alarm(4))
  incidents.flush()
  expect(shown().map((text) => text.split(':')[0])).toEqual(['open alarm 2', 'open alarm 3', 'open alarm 4'])
})

it('an uplink of 40 servers and 60 services is one incident, from its beginning to its end', () => {
  const { begin, end, pass, shown, depend } = incidentFixture()
  const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
  for (const id of ids(60)) depend(`service ${id}`, 'server 99')
  for (const id of ids(40)) depend(`server ${id}`, 'server 99')
  for (const id of ids(30)) begin({ kind: 'outage', id, service_id: id, name: `service ${id}` })
  pass(20)
  for (const server_id of ids(20)) begin({ kind: 'offline', server_id, is_gone: true, name: `host ${server_id}` })
  begin({ kind: 'offline', server_id: 99, is_gone: true, name: 'router' })
  for (const server_id of ids(40)) begin({ kind: 'offline', server_id, is_gone: true, name: `host ${server_id}` })
  for (const id of ids(60)) begin({ kind: 'outage', id, service_id: id, name: `service ${id}` })
  expect(shown()).toHaveLength(1)
  expect(shown()[0]).toMatch(/^open router: /)
  pass(600)
  end({ kind: 'offline', server_id: 99 })
  for (const server_id of ids(40)) end({ kind: 'offline', server_id })
  expect(shown()[0]).toMatch(/^open /)
  for (const id of ids(60)) end({ kind: 'outage', id, service_id: id })
  expect(shown()).toHaveLength(1)
  expect(shown()[0]).toMatch(/^resolved router: /)
})

describe('names that stay wrong', () => {
  const wrong = (record: string, profile = 2) =>
    ({ kind: 'ddns', id: profile, server_id: 1, record, name: `DDNS ${record}` }) as const

  it('of one DDNS profile are one incident, and those of another one are another', () => {
    const { begin, end, shown } = incidentFixture()
    begin(wrong('a'))
    begin(wrong('b'))
    begin(wrong('a', 3))
    end(wrong('a'))
    expect(shown()).toEqual(['open DDNS a and 1 more: DDNS a (cause), DDNS b (cause)', 'open DDNS a: DDNS a (cause)'])
    end(wrong('b'))
    expect(shown()[0]).toMatch(/^resolved /)
    expect(shown()[1]).toMatch(/^open /)
  })
})
