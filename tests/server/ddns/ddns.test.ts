import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { DdnsError } from '../../../server/ddns/providers/provider.ts'
import { admin, member } from '../../support/console/dataApp.ts'
import { createReceiver } from '../../support/fakes/receiver.ts'
import { type DdnsScene, ddnsScene } from '../../support/server/scenes/ddnsScene.ts'

const home = '93.184.216.34'
const away = '93.184.216.35'
const home6 = '2606:4700::1111'

const resultsOf = ({ ddns }: DdnsScene, profile: number) => ddns.results(profile, admin)

const fail =
  (words: string, isFinal = false) =>
  async () => {
    throw new DdnsError(words, { isFinal })
  }

describe('a record is updated', () => {
  it('at the first report and when the address changes, and at no other time', async () => {
    const scene = ddnsScene()
    const server = scene.server({ ip: home, profiles: [scene.profile()] })
    await scene.pass()
    await scene.pass(3600)
    expect(scene.sent).toEqual([`www.example.org A ${home}`])
    server.moveTo({ ip: away })
    await scene.pass()
    await scene.pass()
    expect(scene.sent).toEqual([`www.example.org A ${home}`, `www.example.org A ${away}`])
  })

  it('with the address families that the profile enables', async () => {
    const scene = ddnsScene()
    const both = scene.profile({ domains: ['both.example.org'], enable_ipv6: true })
    const six = scene.profile({ domains: ['six.example.org'], enable_ipv4: false, enable_ipv6: true })
    scene.server({ ip: home, ip6: home6, profiles: [both, six, scene.profile({ enable_ipv4: false })] })
    await scene.pass()
    expect(scene.sent).toEqual([
      `both.example.org A ${home}`,
      `six.example.org AAAA ${home6}`,
      `both.example.org AAAA ${home6}`,
    ])
  })

  it("with the server's own domains for that profile", async () => {
    const scene = ddnsScene()
    const [one, other] = [scene.profile(), scene.profile({ domains: ['other.example.org'] })]
    scene.server({ ip: home, profiles: [one, other], override: { [one]: ['bücher.example', ' '] } })
    await scene.pass()
    expect(scene.sent).toEqual([`xn--bcher-kva.example A ${home}`, `other.example.org A ${home}`])
  })

  it('no longer after DDNS is disabled for the server or the profile is removed from it', async () => {
    const scene = ddnsScene()
    const profile = scene.profile()
    const [one, other] = [home, home].map((ip) => scene.server({ ip, profiles: [profile] }))
    await scene.pass()
    one?.change({ enable_ddns: false })
    other?.change({ ddns_profiles: [] })
    for (const server of [one, other]) server?.moveTo({ ip: away })
    await scene.pass()
    expect(scene.sent.filter((line) => line.endsWith(away))).toEqual([])
    expect(resultsOf(scene, profile)).toEqual([])
  })

  it('not while the server is offline', async () => {
    const scene = ddnsScene()
    const profile = scene.profile()
    scene.server({ ip: home, profiles: [profile] })
    scene.clock.now += 60_000
    scene.ddns.tick()
    await scene.ddns.idle()
    expect(scene.sent).toEqual([])
    expect(resultsOf(scene, profile)).toMatchObject([{ state: 'offline' }])
  })

  it('again when settings for the provider change, but not when only its name changes', async () => {
    const scene = ddnsScene()
    const profile = scene.profile()
    scene.server({ ip: home, profiles: [profile] })
    await scene.pass()
    scene.changeProfile(profile, { name: 'Away', max_retries: 5 })
    await scene.pass()
    expect(scene.sent).toHaveLength(1)
    scene.changeProfile(profile, { access_secret: 'another' })
    await scene.pass()
    scene.changeProfile(profile, { domains: ['www.example.org', 'new.example.org'] })
    await scene.pass()
    expect(scene.sent.slice(1)).toEqual([`www.example.org A ${home}`, `new.example.org A ${home}`])
  })
})

describe('a private address', () => {
  it('is sent to a webhook, but not to public DNS providers', async () => {
    const sentTo: string[] = []
    const note = async ({ domain }: { domain: string }) => void sentTo.push(domain)
    const names = ['webhook', 'cloudflare', 'tencentcloud', 'he']
    const scene = ddnsScene({ providers: new Map(names.map((name) => [name, note])) })
    const profiles = names.map((provider) => scene.profile({ provider, domains: [`${provider}.example.org`] }))
    scene.server({ ip: '10.0.0.7', profiles })
    await scene.pass()
    expect(sentTo).toEqual(['webhook.example.org'])
    expect(resultsOf(scene, profiles[1] ?? 0)).toMatchObject([{ state: 'no_address' }])
  })

  it('that is link-local is never sent', async () => {
    const sentTo: string[] = []
    const scene = ddnsScene({ providers: new Map([['webhook', async ({ address }) => void sentTo.push(address)]]) })
    scene.server({ ip: '169.254.7.7', profiles: [scene.profile({ provider: 'webhook' })] })
    await scene.pass()
    expect(sentTo).toEqual([])
  })
})

describe('an update that fails', () => {
  it('is tried as often as the profile says, with growing pauses, and then logged once', async () => {
    const scene = ddnsScene()
    scene.answer = fail('Try later')
    const profile = scene.profile({ max_retries: 4 })
    const server = scene.server({ ip: home, profiles: [profile] })
    const tries: number[] = []
    for (let second = 0; second < 120; second++) {
      await scene.pass()
      if (scene.sent.length > tries.length) tries.push(second)
    }
    expect(tries).toEqual([0, 5, 15, 35])
    expect(scene.logged).toEqual([
      `DDNS: www.example.org (A) could not be pointed at ${home} of server ${server.id} by profile ${profile}, tries: 4. Try later`,
    ])
    expect(resultsOf(scene, profile)).toMatchObject([{ state: 'failed', address: home, tries: 4, words: 'Try later' }])
  })

  it('is shown as waiting for the next try', async () => {
    const scene = ddnsScene()
    scene.answer = fail('Try later')
    const profile = scene.profile()
    scene.server({ ip: home, profiles: [profile] })
    await scene.pass()
    expect(resultsOf(scene, profile)).toMatchObject([{ state: 'waiting', address: home, tries: 1, words: 'Try later' }])
    expect(scene.ddns.summaries(admin)).toMatchObject([
      { profile_id: profile, names: 1, waiting: 1, done: 0, failed: 0 },
    ])
  })

  it('is not tried again after a final error', async () => {
    const scene = ddnsScene()
    scene.answer = fail('badauth', true)
    scene.server({ ip: home, profiles: [scene.profile()] })
    await scene.pass()
    await scene.pass(60)
    expect(scene.sent).toHaveLength(1)
  })

  it('is replaced by a newer address, which has all its tries', async () => {
    const scene = ddnsScene()
    scene.answer = fail('Try later')
    const server = scene.server({ ip: home, profiles: [scene.profile({ max_retries: 2 })] })
    await scene.pass()
    server.moveTo({ ip: away })
    await scene.pass()
    await scene.pass(5)
    await scene.pass(600)
    expect(scene.sent.map((line) => line.split(' ')[2])).toEqual([home, away, away])
    expect(scene.logged).toHaveLength(1)
  })

  it('is shown without secrets and shortened', async () => {
    const scene = ddnsScene()
    const secret = 'k3y/of+mine'
    scene.answer = fail(`no such key ${secret}\n${encodeURIComponent(secret)} ${'and so on '.repeat(100)}`, true)
    const profile = scene.profile({ access_secret: secret })
    scene.server({ ip: home, profiles: [profile] })
    await scene.pass()
    const [{ words = '' } = {}] = resultsOf(scene, profile)
    expect(words).toMatch(/^no such key \*\*\* \*\*\* and so on/)
    expect(words.length).toBe(200)
    expect(scene.logged.join()).not.toContain('mine')
  })

  it('names an unknown provider', async () => {
    const scene = ddnsScene()
    const profile = scene.profile({ provider: 'retired' })
    scene.server({ ip: home, profiles: [profile] })
    await scene.pass()
    expect(resultsOf(scene, profile)).toMatchObject([{ state: 'failed', words: expect.stringContaining('retired') }])
  })
})

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

describe('a member', () => {
  it('cannot use somebody else’s profile for their own server', async () => {
    const scene = ddnsScene()
    const [admins, own] = [scene.profile(), scene.profile({ domains: ['own.example.org'], user_id: member.id })]
    scene.server({ ip: home, profiles: [admins, own], user_id: member.id })
    await scene.pass()
    expect(scene.sent).toEqual([`own.example.org A ${home}`])
    expect(resultsOf(scene, admins)).toMatchObject([
      { state: 'failed', words: expect.stringContaining('somebody else') },
    ])
  })

  it('sees and updates only their own profiles', async () => {
    const scene = ddnsScene()
    const [admins, own] = [scene.profile(), scene.profile({ domains: ['own.example.org'], user_id: member.id })]
    scene.server({ ip: home, profiles: [admins, own] })
    await scene.pass()
    expect(scene.ddns.summaries(member).map(({ profile_id }) => profile_id)).toEqual([own])
    expect(() => scene.ddns.results(admins, member)).toThrow('permission denied')
    expect(() => scene.ddns.updateNow(admins, member)).toThrow('permission denied')
    expect(scene.ddns.updateNow(own, member)).toBe(1)
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
