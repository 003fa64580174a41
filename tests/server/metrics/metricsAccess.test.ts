import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AddressRanges, readAddressRanges } from '../../../server/auth/addresses/addressRanges.ts'
import { writeSite } from '../../../server/site/site.ts'
import { metricsServer } from '../../support/metrics/metricsServer.ts'
import { parseOpenMetrics } from '../../support/metrics/openMetrics.ts'
import { forwardedName, sendRequest, startNatServer, startService } from '../../support/server/natServer.ts'
import { signedIn } from '../../support/server/testServer.ts'

const secret = 'machine-of-nobody-elses-business'

describe('The metrics are refused', () => {
  it('to strangers, with what to do in plain text and nothing about what is there', async () => {
    const { ask } = await metricsServer({ machines: [secret] })
    const { status, headers, text } = await ask({}, '203.0.113.9')
    expect([status, headers['content-type']]).toEqual([401, 'text/plain; charset=utf-8'])
    expect(headers['www-authenticate']).toMatch(/^Bearer /)
    expect(text).toMatch(/METRICS_ALLOW .*203\.0\.113\.9/)
    expect(text).not.toMatch(/wheelhouse_|machine/)
  })

  it('to members, and to administrators who have to set up a second factor first', async () => {
    const { server, admin } = await metricsServer()
    const member = await signedIn(server, 'member')
    const refused = await member.get('/metrics')
    expect([refused.status, refused.text]).toEqual([403, 'The metrics are for administrators.\n'])
    writeSite(server.store, { require_second_factor: true })
    const reply = await admin.get('/metrics')
    expect([reply.status, reply.headers['content-type']]).toEqual([403, 'text/plain; charset=utf-8'])
    expect(reply.text).toContain('second factor')
  })

  it('to an invalid token, and to a session that has ended', async () => {
    const { server, admin, ask } = await metricsServer()
    expect((await ask({ authorization: 'Bearer nonsense' })).status).toBe(401)
    const token = admin.cookies.get('nz-jwt') ?? ''
    expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(200)
    server.clock.now += 365 * 86_400_000
    expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(401)
  })

  it('for other host names, forwarded or not', async () => {
    const { ask } = await metricsServer({ metricsAllow: '127.0.0.1' })
    expect((await ask({ host: 'rebound.example' })).status).toBe(403)
    const { port: target } = await startService()
    const { port } = await startNatServer({ target })
    expect(await sendRequest(port, { path: '/metrics', host: forwardedName })).toMatchObject({ text: 'hello' })
  })

  it('for other methods', async () => {
    const { server } = await metricsServer({ metricsAllow: '127.0.0.1' })
    for (const method of ['POST', 'HEAD', 'DELETE'] as const) {
      const { statusCode } = await server.app.inject({ method, url: '/metrics', headers: { host: '127.0.0.1' } })
      expect([method, statusCode]).toEqual([method, 404])
    }
  })
})

describe('An API token', () => {
  const scopes = ['nezha:server:read', 'nezha:service:read', 'nezha:alertrule:read']

  /** A server, and a function that makes a token and asks with it. */
  async function serverWithTokens() {
    const { server, hosts, ask } = await metricsServer({ machines: ['web-1', 'web-2'] })
    for (const host of hosts) host.report({ at: new Date(server.clock.now) })
    const askWith = async (token: object, username = 'admin') => {
      const person = await signedIn(server, username)
      const { body } = await person.call('POST', 'api-tokens', { body: { name: 'Prometheus', ...token } })
      const { data } = body as { data: { id: number; token: string } }
      const authorization = `Bearer ${data.token}`
      const again = (address?: string) => ask({ authorization }, address)
      return { ...(await again('203.0.113.9')), again, end: () => person.call('DELETE', `api-tokens/${data.id}`) }
    }
    return { server, askWith }
  }

  it('of an administrator with the scopes to read what is in the metrics is enough, until it is deleted', async () => {
    const { askWith } = await serverWithTokens()
    const { status, text, again, end } = await askWith({ scopes })
    expect(status).toBe(200)
    expect(text).toContain('wheelhouse_server_up{id="2",name="web-2"} 1\n')
    await end()
    // A wrong token is an offence of its address.
    const refused = await again('198.51.100.1')
    expect([refused.status, refused.headers['content-type']]).toEqual([401, 'text/plain; charset=utf-8'])
    expect(refused.text).not.toContain('web-2')
    for (const wide of [['nezha:*'], ['nezha:server:*', 'nezha:service:*', 'nezha:alertrule:*']]) {
      expect((await askWith({ scopes: wide })).status).toBe(200)
    }
  })

  it.each(scopes)('without %s is refused with its name', async (missing) => {
    const { askWith } = await serverWithTokens()
    const { status, text } = await askWith({ scopes: scopes.filter((scope) => scope !== missing) })
    expect([status, text]).toEqual([403, `ApiErrorForbidden: api token lacks scope ${missing}\n`])
  })

  it('that is limited to servers is refused, and so is that of a member, and one that has expired', async () => {
    const { server, askWith } = await serverWithTokens()
    const limited = await askWith({ scopes, server_ids: [1] })
    expect([limited.status, limited.text]).toEqual([403, expect.stringContaining('limited to servers')])
    const member = await askWith({ scopes }, 'member')
    expect([member.status, member.text]).toEqual([403, 'The metrics are for administrators.\n'])
    const { again } = await askWith({ scopes, expires_in_days: 1 })
    server.clock.now += 2 * 86_400_000
    expect((await again()).status).toBe(401)
  })
})

describe('METRICS_ALLOW', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', 200],
    ['192.0.2.7', '::ffff:192.0.2.7', 200],
    ['192.0.2.7', '192.0.2.8', 401],
    ['::ffff:192.0.2.7', '192.0.2.7', 200],
    ['10.0.0.0/8, 2001:db8::/32', '10.200.3.4', 200],
    ['10.0.0.0/8, 2001:db8::/32', '::ffff:10.1.2.3', 200],
    ['10.0.0.0/8, 2001:db8::/32', '2001:DB8:1::5', 200],
    ['10.0.0.0/8, 2001:db8::/32', '11.0.0.1', 401],
    ['10.0.0.0/8, 2001:db8::/32', '2001:db9::1', 401],
    ['::ffff:10.0.0.0/104', '10.9.9.9', 200],
    ['fe80::1', 'fe80::1%eth0', 200],
  ])('%s and a visitor from %s: %i', async (metricsAllow, address, status) => {
    const { ask } = await metricsServer({ metricsAllow })
    expect((await ask({}, address)).status).toBe(status)
  })

  it('is about the address that the proxy names, where one is set', async () => {
    const { server, ask } = await metricsServer({ metricsAllow: '192.0.2.7' })
    writeSite(server.store, { web_real_ip_header: 'X-Real-IP' })
    expect((await ask({ 'x-real-ip': '192.0.2.7' })).status).toBe(200)
    expect((await ask({ 'x-real-ip': '192.0.2.8' }, '192.0.2.7')).status).toBe(401)
  })

  it('lets nobody in by the address of a proxy whose header is not read', async () => {
    const { ask } = await metricsServer({ metricsAllow: '127.0.0.1' })
    expect((await ask()).status).toBe(200)
    const { status, text } = await ask({ 'x-forwarded-for': '203.0.113.9' })
    expect(status).toBe(403)
    expect(text).toContain('Set the real IP header in the settings')
  })

  it('lets nobody in where addresses are not known', async () => {
    const { ask } = await metricsServer({ metricsAllow: '0.0.0.0/0, ::/0', site: { web_real_ip_header: '' } })
    const { status, text } = await ask()
    expect([status, text]).toEqual([401, expect.stringContaining('which this server does not know')])
  })

  it.each([
    'proxy',
    '10.0.0.5/8',
    '10.0.0.0/33',
    '10.0.0.0/',
    '::/129',
    '2001:db8::1/32',
    '10.0.0',
    '1.2.3.4:80',
    'fe80::1%eth0',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '*',
    'http://10.0.0.1',
    '010.0.0.1',
  ])('does not take %s', (entry) => {
    expect(readAddressRanges(`127.0.0.1, ${entry}`)).toBe(`"${entry}"`)
  })

  it('has 256 entries at most', () => {
    const entries = (count: number) => Array.from({ length: count }, (_, index) => `10.0.${index >> 8}.${index & 255}`)
    expect((readAddressRanges(entries(256).join()) as AddressRanges).has('10.0.0.255')).toBe(true)
    expect(readAddressRanges(entries(257).join())).toMatch(/^257 entries/)
  })
})

/** A server on a port whose metrics are longer than what the system holds for a reader that does not read. */
async function longMetrics(limits: { waiting: number; timeoutMs: number }) {
  const { timeoutMs, waiting } = limits
  const names = Array.from({ length: 500 }, (_, index) => `web-${index + 1}`)
  const { server, hosts } = await metricsServer({
    machines: names,
    metricsAllow: '127.0.0.1',
    scrapeLimits: { places: { perKey: 1, total: 1, waiting, waitMs: 1e6 }, timeoutMs },
  })
  const temperatures = Array.from({ length: 128 }, (_, index) => ({ Name: `${index}`.repeat(40), Temperature: index }))
  for (const host of hosts) host.report({ state: { temperatures }, at: new Date(server.clock.now) })
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 })
  /** Asks, and does not read. @returns the reply as soon as it begins */
  return async (coding = 'identity'): Promise<IncomingMessage> => {
    const request = get(`${address}/metrics`, { agent: false, headers: { 'accept-encoding': coding } })
    onTestFinished(() => void request.destroy())
    const [reply] = (await once(request, 'response')) as [IncomingMessage]
    return reply
  }
}

async function textOf(reply: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  return (reply.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

describe('A scrape', () => {
  it('comes whole to a reader that takes its time, and in gzip to one that reads it', async () => {
    const ask = await longMetrics({ waiting: 1, timeoutMs: 1e6 })
    const reply = await ask()
    const isWaiting = ask('gzip')
    const text = await textOf(reply)
    const families = parseOpenMetrics(text)
    expect(families.find(({ name }) => name.endsWith('_celsius'))?.samples).toHaveLength(500 * 128)
    const compressed = await isWaiting
    expect(compressed.headers['content-encoding']).toBe('gzip')
    expect(parseOpenMetrics(await textOf(compressed)).map(({ name }) => name)).toEqual(families.map(({ name }) => name))
  })

  it('is refused while others read and none may wait, until a reader has gone', async () => {
    const ask = await longMetrics({ waiting: 0, timeoutMs: 1e6 })
    const first = await ask()
    const refused = await ask()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '15'])
    expect(await textOf(refused)).toContain('Too many scrapes')
    first.destroy()
    await expect.poll(async () => (await ask()).statusCode).toBe(200)
  })

  it('ends, and does not look whole, when nobody has read it in time', async () => {
    const ask = await longMetrics({ waiting: 0, timeoutMs: 50 })
    const silent = await ask()
    // Its place is free.
    await expect.poll(async () => (await ask()).statusCode).toBe(200)
    await expect(textOf(silent)).rejects.toThrow('aborted')
  })
})

describe('The format', () => {
  it.each([
    [undefined, 'application/openmetrics-text; version=1.0.0; charset=utf-8'],
    ['*/*', 'application/openmetrics-text; version=1.0.0; charset=utf-8'],
    [
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    ],
    ['text/plain;version=0.0.4', 'text/plain; version=0.0.4; charset=utf-8'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/plain; version=0.0.4; charset=utf-8'],
  ])('for a reader that accepts %s is %s', async (accept, type) => {
    const { ask } = await metricsServer({ metricsAllow: '127.0.0.1' })
    const { headers, text } = await ask(accept === undefined ? {} : { accept })
    expect([headers['content-type'], headers['cache-control']]).toEqual([type, 'no-store'])
    const isOpenMetrics = type.startsWith('application')
    expect(text.endsWith('# EOF\n')).toBe(isOpenMetrics)
    expect(text.includes('# TYPE process_cpu_seconds_total counter')).toBe(!isOpenMetrics)
  })
})
