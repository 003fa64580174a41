import { describe, expect, it } from 'vitest'
import { createProviders } from '../../../server/ddns/providers/index.ts'
import { webhook } from '../../../server/ddns/providers/webhook.ts'
import { admin, member } from '../../support/console/dataApp.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { away, ddnsFixture, fail, home, home6, resultsOf } from '../../support/server/fixtures/ddnsFixture.ts'

describe('a record is updated', () => {
  it('at the first report and when the address changes, and at no other time', async () => {
    const fixture = ddnsFixture()
    const server = fixture.server({ ip: home, profiles: [fixture.profile()] })
    await fixture.pass()
    await fixture.pass(3600)
    expect(fixture.sent).toEqual([`www.example.org A ${home}`])
    server.moveTo({ ip: away })
    await fixture.pass()
    await fixture.pass()
    expect(fixture.sent).toEqual([`www.example.org A ${home}`, `www.example.org A ${away}`])
  })

  it('with the address families that the profile enables', async () => {
    const fixture = ddnsFixture()
    const both = fixture.profile({ domains: ['both.example.org'], enable_ipv6: true })
    const six = fixture.profile({ domains: ['six.example.org'], enable_ipv4: false, enable_ipv6: true })
    fixture.server({ ip: home, ip6: home6, profiles: [both, six, fixture.profile({ enable_ipv4: false })] })
    await fixture.pass()
    expect(fixture.sent).toEqual([
      `both.example.org A ${home}`,
      `six.example.org AAAA ${home6}`,
      `both.example.org AAAA ${home6}`,
    ])
  })

  it("with the server's own domains for that profile", async () => {
    const fixture = ddnsFixture()
    const [one, other] = [fixture.profile(), fixture.profile({ domains: ['other.example.org'] })]
    fixture.server({ ip: home, profiles: [one, other], override: { [one]: ['bücher.example', ' '] } })
    await fixture.pass()
    expect(fixture.sent).toEqual([`xn--bcher-kva.example A ${home}`, `other.example.org A ${home}`])
  })

  it('no longer after DDNS is disabled for the server or the profile is removed from it', async () => {
    const fixture = ddnsFixture()
    const profile = fixture.profile()
    const [one, other] = [home, home].map((ip) => fixture.server({ ip, profiles: [profile] }))
    await fixture.pass()
    one?.change({ enable_ddns: false })
    other?.change({ ddns_profiles: [] })
    for (const server of [one, other]) server?.moveTo({ ip: away })
    await fixture.pass()
    expect(fixture.sent.filter((line) => line.endsWith(away))).toEqual([])
    expect(resultsOf(fixture, profile)).toEqual([])
  })

  it('not while the server is offline', async () => {
    const fixture = ddnsFixture()
    const profile = fixture.profile()
    fixture.server({ ip: home, profiles: [profile] })
    fixture.clock.now += 60_000
    fixture.ddns.tick()
    await fixture.ddns.idle()
    expect(fixture.sent).toEqual([])
    expect(resultsOf(fixture, profile)).toMatchObject([{ state: 'offline' }])
  })

  it('again when settings for the provider change, but not when only its name changes', async () => {
    const fixture = ddnsFixture()
    const profile = fixture.profile()
    fixture.server({ ip: home, profiles: [profile] })
    await fixture.pass()
    fixture.changeProfile(profile, { name: 'Away', max_retries: 5 })
    await fixture.pass()
    expect(fixture.sent).toHaveLength(1)
    fixture.changeProfile(profile, { access_secret: 'another' })
    await fixture.pass()
    fixture.changeProfile(profile, { domains: ['www.example.org', 'new.example.org'] })
    await fixture.pass()
    expect(fixture.sent.slice(1)).toEqual([`www.example.org A ${home}`, `new.example.org A ${home}`])
  })
})

describe('a private address', () => {
  it('is sent to a webhook, but not to public DNS providers', async () => {
    const sentTo: string[] = []
    const note = async ({ domain }: { domain: string }) => void sentTo.push(domain)
    const names = ['webhook', 'cloudflare', 'tencentcloud', 'he']
    const fixture = ddnsFixture({ providers: new Map(names.map((name) => [name, note])) })
    const profiles = names.map((provider) => fixture.profile({ provider, domains: [`${provider}.example.org`] }))
    fixture.server({ ip: '10.0.0.7', profiles })
    await fixture.pass()
    expect(sentTo).toEqual(['webhook.example.org'])
    expect(resultsOf(fixture, profiles[1] ?? 0)).toMatchObject([{ state: 'no_address' }])
  })

  it('that is link-local is never sent', async () => {
    const sentTo: string[] = []
    const fixture = ddnsFixture({ providers: new Map([['webhook', async ({ address }) => void sentTo.push(address)]]) })
    fixture.server({ ip: '169.254.7.7', profiles: [fixture.profile({ provider: 'webhook' })] })
    await fixture.pass()
    expect(sentTo).toEqual([])
  })
})

describe('an update that fails', () => {
  it('is tried as often as the profile says, with growing pauses, and then logged once', async () => {
    const fixture = ddnsFixture()
    fixture.answer = fail('Try later')
    const profile = fixture.profile({ max_retries: 4 })
    const server = fixture.server({ ip: home, profiles: [profile] })
    const tries: number[] = []
    for (let second = 0; second < 120; second++) {
      await fixture.pass()
      if (fixture.sent.length > tries.length) tries.push(second)
    }
    expect(tries).toEqual([0, 5, 15, 35])
    expect(fixture.logged).toEqual([
      `DDNS: www.example.org (A) could not be pointed at ${home} of server ${server.id} by profile ${profile}, tries: 4. Try later`,
    ])
    expect(resultsOf(fixture, profile)).toMatchObject([
      { state: 'failed', address: home, tries: 4, words: 'Try later' },
    ])
  })

  it('is shown as waiting for the next try', async () => {
    const fixture = ddnsFixture()
    fixture.answer = fail('Try later')
    const profile = fixture.profile()
    fixture.server({ ip: home, profiles: [profile] })
    await fixture.pass()
    expect(resultsOf(fixture, profile)).toMatchObject([
      { state: 'waiting', address: home, tries: 1, words: 'Try later' },
    ])
    expect(fixture.ddns.summaries(admin)).toMatchObject([
      { profile_id: profile, names: 1, waiting: 1, done: 0, failed: 0 },
    ])
  })

  it('is not tried again after a final error', async () => {
    const fixture = ddnsFixture()
    fixture.answer = fail('badauth', true)
    fixture.server({ ip: home, profiles: [fixture.profile()] })
    await fixture.pass()
    await fixture.pass(60)
    expect(fixture.sent).toHaveLength(1)
  })

  it('is replaced by a newer address, which has all its tries', async () => {
    const fixture = ddnsFixture()
    fixture.answer = fail('Try later')
    const server = fixture.server({ ip: home, profiles: [fixture.profile({ max_retries: 2 })] })
    await fixture.pass()
    server.moveTo({ ip: away })
    await fixture.pass()
    await fixture.pass(5)
    await fixture.pass(600)
    expect(fixture.sent.map((line) => line.split(' ')[2])).toEqual([home, away, away])
    expect(fixture.logged).toHaveLength(1)
  })

  it('is shown without secrets and shortened', async () => {
    const fixture = ddnsFixture()
    const secret = 'k3y/of+mine'
    fixture.answer = fail(`no such key ${secret}\n${encodeURIComponent(secret)} ${'and so on '.repeat(100)}`, true)
    const profile = fixture.profile({ access_secret: secret })
    fixture.server({ ip: home, profiles: [profile] })
    await fixture.pass()
    const [{ words = '' } = {}] = resultsOf(fixture, profile)
    expect(words).toMatch(/^no such key \*\*\* \*\*\* and so on/)
    expect(words.length).toBe(200)
    expect(fixture.logged.join()).not.toContain('mine')
  })

  it('names an unknown provider', async () => {
    const fixture = ddnsFixture()
    const profile = fixture.profile({ provider: 'retired' })
    fixture.server({ ip: home, profiles: [profile] })
    await fixture.pass()
    expect(resultsOf(fixture, profile)).toMatchObject([{ state: 'failed', words: expect.stringContaining('retired') }])
  })
})

describe('a member', () => {
  it('cannot use somebody else’s profile for their own server', async () => {
    const fixture = ddnsFixture()
    const [admins, own] = [fixture.profile(), fixture.profile({ domains: ['own.example.org'], user_id: member.id })]
    fixture.server({ ip: home, profiles: [admins, own], user_id: member.id })
    await fixture.pass()
    expect(fixture.sent).toEqual([`own.example.org A ${home}`])
    expect(resultsOf(fixture, admins)).toMatchObject([
      { state: 'failed', words: expect.stringContaining('somebody else') },
    ])
  })

  it('sees and updates only their own profiles', async () => {
    const fixture = ddnsFixture()
    const [admins, own] = [fixture.profile(), fixture.profile({ domains: ['own.example.org'], user_id: member.id })]
    fixture.server({ ip: home, profiles: [admins, own] })
    await fixture.pass()
    expect(fixture.ddns.summaries(member).map(({ profile_id }) => profile_id)).toEqual([own])
    expect(() => fixture.ddns.results(admins, member)).toThrow('permission denied')
    expect(() => fixture.ddns.updateNow(admins, member)).toThrow('permission denied')
    expect(fixture.ddns.updateNow(own, member)).toBe(1)
  })
})

describe('a provider that is called too often', () => {
  it('is waited for, which is no try, and the name is right in the end', async () => {
    let calls = 0
    const { origin } = await receiver((reply) => {
      if (++calls <= 3) reply.writeHead(429, { 'retry-after': '25' }).end()
      else reply.end()
    })
    const fixture = ddnsFixture({ providers: new Map([['webhook', webhook]]) })
    const profile = fixture.profile({ provider: 'webhook', webhook_url: `${origin}/?ip=#ip#`, max_retries: 2 })
    fixture.server({ ip: home, profiles: [profile], user_id: admin.id })
    const callsAt: number[] = []
    for (let second = 0; second < 80; second++) {
      await fixture.pass()
      if (calls > callsAt.length) callsAt.push(second)
    }
    expect(callsAt).toEqual([0, 25, 50, 75])
    expect(resultsOf(fixture, profile)).toMatchObject([{ state: 'done', address: home, tries: 1 }])
    expect(fixture.troubles).toEqual([])
  })

  it('is waited for as well where it says so with status 200', async () => {
    let calls = 0
    const { origin } = await receiver((reply) => {
      const refusal = { Error: { Code: 'RequestLimitExceeded', Message: 'Slow down' } }
      reply.end(JSON.stringify({ Response: ++calls <= 3 ? refusal : { DomainList: [] } }))
    })
    const fixture = ddnsFixture({ providers: createProviders(() => 0, { tencentcloud: origin }) })
    const secrets = { access_id: 'id', access_secret: 'secret' }
    const profile = fixture.profile({ provider: 'tencentcloud', ...secrets, max_retries: 1 })
    fixture.server({ ip: home, profiles: [profile], user_id: admin.id })
    for (let minute = 0; minute < 4; minute++) await fixture.pass(60)
    expect(calls).toBe(4)
    expect(resultsOf(fixture, profile)).toMatchObject([{ words: expect.stringContaining('has no domain') }])
  })
})

describe('a provider that fails for longer than all tries take', () => {
  it('is tried again later, and people are told once that it fails, and that it is over', async () => {
    const fixture = ddnsFixture()
    fixture.answer = fail('Try later')
    const profile = fixture.profile({ max_retries: 2 })
    fixture.server({ ip: home, profiles: [profile] })
    for (let minute = 0; minute < 300; minute++) await fixture.pass(60)
    expect(fixture.sent.length).toBeGreaterThan(4)
    expect(fixture.sent.length).toBeLessThan(12)
    expect(fixture.logged).toHaveLength(1)
    expect(fixture.troubles).toEqual(['www.example.org: Try later'])
    fixture.answer = async () => {}
    for (let minute = 0; minute < 480; minute++) await fixture.pass(60)
    expect(resultsOf(fixture, profile)).toMatchObject([{ state: 'done' }])
    expect(fixture.troubles).toEqual(['www.example.org: Try later', 'www.example.org: over'])
  })

  it('is not called again when it refuses for good', async () => {
    const fixture = ddnsFixture()
    fixture.answer = fail('badauth', true)
    fixture.server({ ip: home, profiles: [fixture.profile()] })
    for (let minute = 0; minute < 120; minute++) await fixture.pass(60)
    expect(fixture.sent).toHaveLength(1)
    expect(fixture.troubles).toEqual(['www.example.org: badauth'])
  })

  it('is no trouble any more when the name is not wanted any more', async () => {
    const fixture = ddnsFixture()
    fixture.answer = fail('badauth', true)
    const profile = fixture.profile({ domains: ['www.example.org', 'shop.example.org', 'mail.example.org'] })
    const server = fixture.server({ ip: home, profiles: [profile] })
    await fixture.pass()
    fixture.changeProfile(profile, { domains: ['shop.example.org', 'mail.example.org'] })
    await fixture.pass()
    expect(fixture.troubles.slice(3)).toEqual(['www.example.org: withdrawn'])
    server.change({ enable_ddns: false })
    await fixture.pass()
    expect(fixture.troubles.slice(4)).toEqual(['shop.example.org: withdrawn', 'mail.example.org: withdrawn'])
    expect(fixture.ddns.troubles()).toEqual([])
  })

  it('is known after a restart, and told to be over only then', async () => {
    const before = ddnsFixture()
    before.answer = fail('badauth', true)
    const profile = before.profile()
    before.server({ ip: home, profiles: [profile] })
    await before.pass()
    const fixture = ddnsFixture({ store: before.store })
    expect(fixture.ddns.troubles()).toMatchObject([{ domain: 'www.example.org', words: 'badauth' }])
    fixture.server({ ip: home, profiles: [profile] })
    await fixture.pass()
    expect(fixture.troubles).toEqual(['www.example.org: over'])
    expect(fixture.ddns.troubles()).toEqual([])
  })
})
