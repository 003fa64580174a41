import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { admin } from '../../support/console/dataApp.ts'
import { createReceiver } from '../../support/fakes/receiver.ts'
import {
  away,
  type DdnsFixture,
  ddnsFixture,
  fail,
  home,
  home6,
  resultsOf,
} from '../../support/server/fixtures/ddnsFixture.ts'

describe('two updates', () => {
  /** Makes updates wait until the test ends them. */
  function holdUpdates(fixture: DdnsFixture) {
    const waiting: { domain: string; address: string; end: () => void }[] = []
    fixture.answer = ({ domain, address }) =>
      new Promise((end) => void waiting.push({ domain, address, end: () => end() }))
    return waiting
  }
  const settle = () => new Promise((done) => setImmediate(done))

  it('of one name never run at the same time', async () => {
    const fixture = ddnsFixture()
    const waiting = holdUpdates(fixture)
    const profiles = [fixture.profile(), fixture.profile({ enable_ipv6: true })]
    fixture.server({ ip: home, ip6: home6, profiles })
    fixture.ddns.tick()
    for (let sent = 1; sent <= 3; sent++) {
      await settle()
      expect(fixture.sent).toHaveLength(sent)
      waiting[sent - 1]?.end()
    }
    await fixture.ddns.idle()
    expect(fixture.sent).toHaveLength(3)
  })

  it('follow one another when the address changes meanwhile, and end with the newest', async () => {
    const fixture = ddnsFixture()
    const waiting = holdUpdates(fixture)
    const profile = fixture.profile()
    const server = fixture.server({ ip: home, profiles: [profile] })
    fixture.ddns.tick()
    for (const ip of ['93.184.216.36', away]) {
      server.moveTo({ ip })
      server.host.report({ ip: { ipv4_addr: ip }, at: new Date(fixture.clock.now) })
      fixture.ddns.tick()
    }
    await settle()
    expect(fixture.sent).toEqual([`www.example.org A ${home}`])
    waiting[0]?.end()
    await settle()
    waiting[1]?.end()
    await fixture.ddns.idle()
    expect(fixture.sent).toEqual([`www.example.org A ${home}`, `www.example.org A ${away}`])
    expect(resultsOf(fixture, profile)).toMatchObject([{ state: 'done', address: away }])
  })

  it('of different profiles do not wait for a slow one', async () => {
    const fixture = ddnsFixture()
    const slow = fixture.profile({ domains: Array.from({ length: 40 }, (_, at) => `slow${at}.example.org`) })
    const quick = fixture.profile({ domains: ['quick.example.org'] })
    fixture.answer = ({ domain }) => (domain.startsWith('slow') ? new Promise(() => {}) : Promise.resolve())
    fixture.server({ ip: home, profiles: [slow, quick] })
    fixture.ddns.tick()
    await settle()
    expect(fixture.sent).toContain(`quick.example.org A ${home}`)
    expect(fixture.sent.filter((line) => line.startsWith('slow'))).toHaveLength(4)
  })
})

describe('after a restart', () => {
  /** A new fixture with the same data and a machine that reports again. */
  async function restarted(before: DdnsFixture, server: Parameters<DdnsFixture['server']>[0]): Promise<DdnsFixture> {
    await before.ddns.stop()
    const after = ddnsFixture({ store: before.store })
    after.server(server)
    return after
  }

  it('nothing is sent without a change', async () => {
    const before = ddnsFixture()
    before.server({ ip: home, profiles: [before.profile()] })
    await before.pass()
    const after = await restarted(before, { ip: home, profiles: [1] })
    await after.pass()
    expect(after.sent).toEqual([])
    expect(resultsOf(after, 1)).toMatchObject([{ state: 'done', address: home, at: '2026-11-21T12:00:01Z' }])
  })

  it('a change meanwhile is sent', async () => {
    const before = ddnsFixture()
    before.server({ ip: home, profiles: [before.profile()] })
    await before.pass()
    const after = await restarted(before, { ip: away, profiles: [1] })
    await after.pass()
    expect(after.sent).toEqual([`www.example.org A ${away}`])
  })

  it('waiting and failed updates are tried again', async () => {
    const before = ddnsFixture()
    before.answer = fail('Try later')
    const failing = before.profile({ max_retries: 1 })
    before.server({ ip: home, profiles: [failing, before.profile({ domains: ['b.example.org'], max_retries: 9 })] })
    await before.pass()
    const after = await restarted(before, { ip: home, profiles: [1, 2] })
    await after.pass()
    expect(after.sent).toEqual([`www.example.org A ${home}`, `b.example.org A ${home}`])
  })

  it('all of many results are still there', async () => {
    const domains = Array.from({ length: 1200 }, (_, at) => `d${at}.example.org`)
    const before = ddnsFixture()
    before.server({ ip: home, profiles: [before.profile({ domains })] })
    await before.pass()
    expect(before.sent).toHaveLength(1200)
    const after = await restarted(before, { ip: home, profiles: [1] })
    await after.pass()
    expect(after.sent).toEqual([])
  })

  it('results of deleted records are gone', async () => {
    const before = ddnsFixture()
    const deleted = before.profile()
    before.server({ ip: home, profiles: [deleted, before.profile({ domains: ['b.example.org'] })] })
    await before.pass()
    before.changeProfile(2, { domains: [] })
    await before.pass()
    const after = await restarted(before, { ip: home, profiles: [1, 2] })
    after.changeProfile(2, { domains: ['b.example.org'] })
    await after.pass()
    expect(after.sent).toEqual([`b.example.org A ${home}`])
  })

  it('a running request does not delay the stop', async () => {
    const fixture = ddnsFixture({
      providers: new Map([
        ['test', (_, ask) => ask({ url: blackHole.origin, method: 'GET', headers: () => ({}) }).then(() => {})],
      ]),
    })
    const blackHole = await createReceiver(() => {})
    onTestFinished(blackHole.close)
    fixture.server({ ip: home, profiles: [fixture.profile()] })
    fixture.ddns.start()
    await vi.waitFor(() => expect(blackHole.deliveries).toHaveLength(1))
    await fixture.ddns.stop()
    expect(fixture.logged).toEqual([])
  })
})

describe('updating now', () => {
  it('sends unchanged and failed records', async () => {
    const fixture = ddnsFixture()
    const [fine, broken] = [fixture.profile(), fixture.profile({ domains: ['b.example.org'], max_retries: 1 })]
    fixture.server({ ip: home, profiles: [fine, broken] })
    fixture.answer = ({ domain }) => (domain.startsWith('b.') ? fail('No')() : Promise.resolve())
    await fixture.pass()
    fixture.answer = async () => {}
    expect([fine, broken].map((id) => fixture.ddns.updateNow(id, admin))).toEqual([1, 1])
    await fixture.ddns.idle()
    expect(fixture.sent.slice(2)).toEqual([`www.example.org A ${home}`, `b.example.org A ${home}`])
    expect(resultsOf(fixture, broken)).toMatchObject([{ state: 'done' }])
  })

  it('does not wait for the pause after a failed try', async () => {
    const fixture = ddnsFixture()
    fixture.answer = fail('Try later')
    const profile = fixture.profile()
    fixture.server({ ip: home, profiles: [profile] })
    await fixture.pass()
    fixture.answer = async () => {}
    fixture.ddns.updateNow(profile, admin)
    await fixture.ddns.idle()
    expect(resultsOf(fixture, profile)).toMatchObject([{ state: 'done', tries: 1 }])
  })

  it('names a profile that does not exist', () => {
    const fixture = ddnsFixture()
    expect(() => fixture.ddns.updateNow(7, admin)).toThrow('profile id 7 does not exist')
  })
})
