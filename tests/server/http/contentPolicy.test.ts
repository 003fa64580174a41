import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

/** A server with a built console. @param code the operator's own for the console */
function serverWith(code?: string) {
  const dist = temporaryFolder()
  mkdirSync(join(dist, 'assets'))
  writeFileSync(join(dist, 'index.html'), '<!doctype html><script>theme()</script>')
  return testServer({ dist, site: { custom_code_dashboard: code, custom_code: '<script>visitors()</script>' } })
}

async function policyAt(path: string, code?: string) {
  const { headers } = await (await serverWith(code)).browser().get(path)
  return new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => {
        const [name = '', ...sources] = directive.split(' ')
        return [name, sources]
      }),
  )
}

const code = '<script src="https://code.example/count.js"></script>'

describe('the page’s policy without custom code', () => {
  it('allows only our own files and the one script in the page, and no requests to other origins', async () => {
    const policy = await policyAt('/dashboard/')
    expect(policy.get('script-src')).toEqual(["'self'", expect.stringMatching(/^'sha256-[\w+/]{43}='$/)])
    expect(policy.get('default-src')).toEqual(["'self'"])
    expect(policy.get('style-src')).toEqual(["'self'", "'unsafe-inline'"])
    expect(policy.get('connect-src')).toEqual(["'self'", 'ws://127.0.0.1:8008', 'wss://127.0.0.1:8008'])
    expect(policy.get('img-src')).toEqual(["'self'", 'data:', 'blob:'])
    for (const name of ['object-src', 'base-uri', 'frame-ancestors']) expect(policy.get(name)).toEqual(["'none'"])
    expect(policy.get('form-action')).toEqual(["'self'"])
    expect([...policy.values()].flat()).not.toContain("'unsafe-eval'")
  })

  it('is not relaxed by the code for visitors', async () => {
    expect((await policyAt('/dashboard/login')).get('default-src')).toEqual(["'self'"])
  })
})

describe('the policy of the console’s page with custom code', () => {
  it.each(['/dashboard', '/dashboard/', '/dashboard/login?next=%2Fdashboard', '/dashboard?pageSize=10'])(
    'lets that run at %s, and still keeps plug-ins and frames out',
    async (path) => {
      const policy = await policyAt(path, code)
      expect(policy.get('default-src')).toEqual(expect.arrayContaining(['*', "'unsafe-inline'"]))
      // Beside a hash, browsers refuse the inline scripts that have none.
      expect([...policy.values()].flat().some((source) => source.startsWith("'sha256"))).toBe(false)
      for (const name of ['object-src', 'base-uri', 'frame-ancestors']) expect(policy.get(name)).toEqual(["'none'"])
    },
  )

  it.each(['/dashboard/?safe=1', '/dashboard/settings?x=1&safe=1', '/api/v1/setting', '/dashboardx'])(
    'is the strict one at %s',
    async (path) => expect((await policyAt(path, code)).get('default-src')).toEqual(["'self'"]),
  )

  it('is not sent for a foreign host name', async () => {
    const { headers } = await (await serverWith(code)).browser().get('/dashboard/', { host: 'evil.example' })
    expect(headers['content-security-policy']).toContain("default-src 'self'")
  })

  it('follows the settings without a restart', async () => {
    const server = await serverWith()
    const browser = await signedIn(server)
    const policy = async () => String((await browser.get('/dashboard/')).headers['content-security-policy'])
    expect(await policy()).toContain("default-src 'self'")
    const form = {
      site_name: 'x',
      user_template: 'user-dist',
      language: 'en-US',
      web_real_ip_header: 'NZ::Use-Peer-IP',
    }
    await browser.call('PATCH', 'setting', { body: { ...form, custom_code_dashboard: code } })
    expect(await policy()).toContain('default-src *')
    await browser.call('PATCH', 'setting', { body: form })
    expect(await policy()).toContain("default-src 'self'")
  })
})
