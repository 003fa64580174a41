import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { admin } from '../../support/console/dataApp.ts'
import { createReceiver } from '../../support/fakes/receiver.ts'
import { away, type DdnsScene, ddnsScene, fail, home, home6, resultsOf } from '../../support/server/scenes/ddnsScene.ts'

describe('two updates', () => {
  /** Makes updates wait until the test ends them. */
  function holdUpdates(scene: DdnsScene) {
    const waiting: { domain: string; address: string; end: () => void }[] = []
    scene.answer = ({ domain, address }) =>
      new Promise((end) => void waiting.push({ domain, address, end: () => end() }))
    return waiting
  }
  const settle = () => new Promise((done) => setImmediate(done))

  it('of one name never run at the same time', async () => {
    const scene = ddnsScene()
    const waiting = holdUpdates(scene)
    const profiles = [scene.profile(), scene.profile({ enable_ipv6: true })]
    scene.server({ ip: home, ip6: home6, profiles })
    scene.ddns.tick()
    for (let sent = 1; sent <= 3; sent++) {
      await settle()
      expect(scene.sent).toHaveLength(sent)
      waiting[sent - 1]?.end()
    }
    await scene.ddns.idle()
    expect(scene.sent).toHaveLength(3)
  })

  it('follow one another when the address changes meanwhile, and end with the newest', async () => {
    const scene = ddnsScene()
    const waiting = holdUpdates(scene)
    const profile = scene.profile()
    const server = scene.server({ ip: home, profiles: [profile] })
    scene.ddns.tick()
    for (const ip of ['93.184.216.36', away]) {
      server.moveTo({ ip })
      server.host.tell({ ip: { ipv4_addr: ip }, at: new Date(scene.clock.now) })
      scene.ddns.tick()
    }
    await settle()
    expect(scene.sent).toEqual([`www.example.org A ${home}`])
    waiting[0]?.end()
    await settle()
    waiting[1]?.end()
    await scene.ddns.idle()
    expect(scene.sent).toEqual([`www.example.org A ${home}`, `www.example.org A ${away}`])
    expect(resultsOf(scene, profile)).toMatchObject([{ state: 'done', address: away }])
  })

  it('of different profiles do not wait for a slow one', async () => {
    const scene = ddnsScene()
    const slow = scene.profile({ domains: Array.from({ length: 40 }, (_, at) => `slow${at}.example.org`) })
    const quick = scene.profile({ domains: ['quick.example.org'] })
    scene.answer = ({ domain }) => (domain.startsWith('slow') ? new Promise(() => {}) : Promise.resolve())
    scene.server({ ip: home, profiles: [slow, quick] })
    scene.ddns.tick()
    await settle()
    expect(scene.sent).toContain(`quick.example.org A ${home}`)
    expect(scene.sent.filter((line) => line.startsWith('slow'))).toHaveLength(4)
  })
})

describe('after a restart', () => {
  /** A new scene with the same data and a machine that reports again. */
  async function restarted(before: DdnsScene, server: Parameters<DdnsScene['server']>[0]): Promise<DdnsScene> {
    await before.ddns.stop()
    const after = ddnsScene({ store: before.store })
    after.server(server)
    return after
  }

  it('nothing is sent without a change', async () => {
    const before = ddnsScene()
    before.server({ ip: home, profiles: [before.profile()] })
    await before.pass()
    const after = await restarted(before, { ip: home, profiles: [1] })
    await after.pass()
    expect(after.sent).toEqual([])
    expect(resultsOf(after, 1)).toMatchObject([{ state: 'done', address: home, at: '2026-11-21T12:00:01Z' }])
  })

  it('a change meanwhile is sent', async () => {
    const before = ddnsScene()
    before.server({ ip: home, profiles: [before.profile()] })
    await before.pass()
    const after = await restarted(before, { ip: away, profiles: [1] })
    await after.pass()
    expect(after.sent).toEqual([`www.example.org A ${away}`])
  })

  it('waiting and failed updates are tried again', async () => {
    const before = ddnsScene()
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
    const before = ddnsScene()
    before.server({ ip: home, profiles: [before.profile({ domains })] })
    await before.pass()
    expect(before.sent).toHaveLength(1200)
    const after = await restarted(before, { ip: home, profiles: [1] })
    await after.pass()
    expect(after.sent).toEqual([])
  })

  it('results of deleted records are gone', async () => {
    const before = ddnsScene()
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
    const scene = ddnsScene({
      providers: new Map([
        ['test', (_, ask) => ask({ url: blackHole.origin, method: 'GET', headers: () => ({}) }).then(() => {})],
      ]),
    })
    const blackHole = await createReceiver(() => {})
    onTestFinished(blackHole.close)
    scene.server({ ip: home, profiles: [scene.profile()] })
    scene.ddns.start()
    await vi.waitFor(() => expect(blackHole.deliveries).toHaveLength(1))
    await scene.ddns.stop()
    expect(scene.logged).toEqual([])
  })
})

describe('updating now', () => {
  it('sends unchanged and failed records', async () => {
    const scene = ddnsScene()
    const [fine, broken] = [scene.profile(), scene.profile({ domains: ['b.example.org'], max_retries: 1 })]
    scene.server({ ip: home, profiles: [fine, broken] })
    scene.answer = ({ domain }) => (domain.startsWith('b.') ? fail('No')() : Promise.resolve())
    await scene.pass()
    scene.answer = async () => {}
    expect([fine, broken].map((id) => scene.ddns.updateNow(id, admin))).toEqual([1, 1])
    await scene.ddns.idle()
    expect(scene.sent.slice(2)).toEqual([`www.example.org A ${home}`, `b.example.org A ${home}`])
    expect(resultsOf(scene, broken)).toMatchObject([{ state: 'done' }])
  })

  it('does not wait for the pause after a failed try', async () => {
    const scene = ddnsScene()
    scene.answer = fail('Try later')
    const profile = scene.profile()
    scene.server({ ip: home, profiles: [profile] })
    await scene.pass()
    scene.answer = async () => {}
    scene.ddns.updateNow(profile, admin)
    await scene.ddns.idle()
    expect(resultsOf(scene, profile)).toMatchObject([{ state: 'done', tries: 1 }])
  })

  it('names a profile that does not exist', () => {
    const scene = ddnsScene()
    expect(() => scene.ddns.updateNow(7, admin)).toThrow('profile id 7 does not exist')
  })
})
