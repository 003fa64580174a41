import { describe, expect, it } from 'vitest'
import { signedIn, type TestServer, testServer } from '../../../support/server/testServer.ts'

const attacker = '198.51.100.10'

/** The failures that were recorded. */
function rowsOf({ app }: TestServer, ip: string) {
  return app.auth.waf.rows().filter((row) => row.ip === ip)
}

describe('the address of a client', () => {
  const setting = (server: TestServer, headers: Record<string, string>) => server.browser().get('setting', headers)

  it('is the last element of the header that the settings name', async () => {
    const server = await testServer({ site: { web_real_ip_header: 'X-Real-IP' } })
    const list = { 'x-real-ip': '203.0.113.7, 198.51.100.1' }
    const browser = server.browser()
    const body = { username: 'admin', password: 'wrong' }
    await browser.call('POST', 'login', { body, headers: list })
    expect(rowsOf(server, '198.51.100.1')).toMatchObject([{ count: 1 }])
    server.app.auth.waf.block('198.51.100.1')
    expect((await setting(server, list)).status).toBe(403)
    expect((await setting(server, { 'x-real-ip': '203.0.113.7' })).status).toBe(200)
  })

  it('is required in that header, for pages too', async () => {
    const server = await testServer({ site: { web_real_ip_header: 'X-Real-IP' } })
    for (const path of ['setting', '/dashboard/', '/']) {
      const reply = await server.browser().get(path)
      expect([reply.status, reply.body]).toEqual([200, { error: 'real ip header not found' }])
    }
  })

  it('must be an IP address', async () => {
    const server = await testServer({ site: { web_real_ip_header: 'X-Real-IP' } })
    const { body } = await setting(server, { 'x-real-ip': 'banana' })
    expect(body).toEqual({ error: 'ParseAddr("banana"): unable to parse IP' })
  })

  it('is not known when the setting is empty: nobody is blocked, and the profile names no address', async () => {
    const server = await testServer({ site: { web_real_ip_header: '' } })
    for (let attempt = 0; attempt < 3; attempt++) {
      expect((await server.browser(attacker).signIn('admin', 'wrong')).status).toBe(200)
    }
    const browser = await signedIn(server, 'admin', attacker)
    expect((await browser.get('profile')).body).not.toHaveProperty('data.login_ip')
  })

  it('is the other end of the connection at first, whatever headers say', async () => {
    const server = await testServer()
    const forged = { 'x-forwarded-for': '192.0.2.1', 'x-real-ip': '192.0.2.1' }
    const body = { username: 'admin', password: 'wrong' }
    await server.browser(attacker).call('POST', 'login', { body, headers: forged })
    expect(rowsOf(server, attacker)).toHaveLength(1)
    expect(server.logged).toEqual([])
  })

  it('is IPv4 also when the socket has it as IPv6', async () => {
    const server = await testServer()
    await server.browser(`::ffff:${attacker}`).signIn('admin', 'wrong')
    expect(rowsOf(server, attacker)).toHaveLength(1)
  })

  it('causes one warning when a proxy on this machine sends a header that is not read', async () => {
    const server = await testServer()
    const browser = await signedIn(server)
    expect((await browser.get('setting')).body).not.toHaveProperty('data.wheelhouse.warnings')
    for (let call = 0; call < 3; call++) await browser.get('profile', { 'x-forwarded-for': '192.0.2.1' })
    expect(server.logged).toEqual([expect.stringContaining('real IP header')])
    expect((await browser.get('setting')).body).toHaveProperty('data.wheelhouse.warnings', ['unheard_proxy'])
  })
})
