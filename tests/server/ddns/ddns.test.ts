import { describe, expect, it } from 'vitest'
import { admin, member } from '../../support/console/dataApp.ts'
import { away, ddnsScene, fail, home, home6, resultsOf } from '../../support/server/scenes/ddnsScene.ts'

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
