// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { locales } from '../../../i18n/locales.ts'
import { type CheckResult, checkNames, outcomes } from '../../../src/custom/doctor/checks/checkResult.ts'
import {
  addressKind,
  checkSocket,
  evaluateAddress,
  evaluateApi,
  evaluateClock,
  evaluateCsrf,
  evaluateMcp,
  evaluateTls,
  evaluateVersion,
  type Reply,
  runChecks,
} from '../../../src/custom/doctor/checks/runChecks.ts'
import { loadTexts, proxyConfigs, reportText } from '../../../src/custom/doctor/DoctorPage.tsx'
import { clearSessionCookies } from '../../../src/session/token.ts'
import { calls, failure, fakeServer, setCookie } from '../../support/fakes/fakeServer.ts'

afterEach(() => {
  clearSessionCookies()
  vi.unstubAllGlobals()
})

const outcomeOf = ({ outcome, health, proxyConfig }: CheckResult) => [outcome, health, proxyConfig]

describe('The connection check', () => {
  it.each([
    [{ status: 200, body: { success: true } }, 'api_good', undefined],
    [{ status: 200, body: { error: 'ApiErrorUnauthorized' } }, 'api_good', undefined],
    [{ status: 200 }, 'api_page', 'proxy'],
    [{ status: 404 }, 'api_page', 'proxy'],
    [{ status: 403 }, 'api_blocked', undefined],
    [{ status: 502 }, 'api_gateway', 'proxy'],
    [{ status: 0 }, 'api_unreachable', 'proxy'],
    [{ status: 200, body: { error: 'real ip header not found' } }, 'api_said', 'address'],
  ] as [Reply, string, string | undefined][])('evaluates the reply %o as %s', (reply, outcome, proxyConfig) => {
    expect(outcomeOf(evaluateApi(reply))).toEqual([outcome, outcome === 'api_good' ? 'good' : 'bad', proxyConfig])
  })

  it.each([
    ['https:', 'monitor.example.org', 'tls_good'],
    ['http:', '127.0.0.1', 'tls_here'],
    ['http:', '[::1]', 'tls_here'],
    ['http:', '192.168.1.5', 'tls_missing'],
    ['http:', 'monitor.example.org', 'tls_missing'],
  ])('evaluates a page of %s//%s as %s', (protocol, hostname, outcome) => {
    expect(evaluateTls({ protocol, hostname }).outcome).toBe(outcome)
  })

  it.each([
    ['127.0.0.1', 'own'],
    ['::1', 'own'],
    ['localhost', 'own'],
    ['::ffff:127.0.0.1', 'own'],
    ['10.1.2.3', 'private'],
    ['172.31.0.1', 'private'],
    ['172.32.0.1', 'public'],
    ['fd00::1', 'private'],
    ['fdn.example.org', 'public'],
    ['2001:db8::1', 'public'],
    ['198.51.100.7', 'public'],
  ])('classifies %s as %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind)
  })

  it('warns if the server sees only the proxy’s address, or none', () => {
    expect(evaluateAddress(true, '198.51.100.7', 'a.example').outcome).toBe('address_good')
    expect(evaluateAddress(true, '10.0.0.2', 'a.example').outcome).toBe('address_inner')
    expect(evaluateAddress(true, '10.0.0.2', '10.0.0.1').outcome).toBe('address_good')
    expect(evaluateAddress(true, undefined, 'a.example').outcome).toBe('address_none')
    expect(evaluateAddress(false, undefined, 'a.example').outcome).toBe('signed_out')
  })

  it('compares clocks, with a tolerance for the network', () => {
    const clock = { at: 1_000_000, within: 700 }
    const at = (now: number) => evaluateClock({ status: 200, clock }, now)
    expect([at(1_030_000).outcome, at(970_000).outcome]).toEqual(['clock_good', 'clock_good'])
    expect(at(1_090_000)).toMatchObject({ outcome: 'clock_ahead', health: 'warning', values: { seconds: 90 } })
    expect(at(910_000)).toMatchObject({ outcome: 'clock_behind', values: { seconds: 90 } })
    expect(evaluateClock({ status: 200 }).outcome).toBe('clock_unknown')
  })

  it('distinguishes a server without CSRF protection from one that refuses the token', () => {
    expect(evaluateCsrf(undefined).outcome).toBe('signed_out')
    expect(evaluateCsrf({ status: 200, body: { success: true } }).outcome).toBe('csrf_good')
    expect(evaluateCsrf({ status: 404, body: { error: '404 Not Found' } }).outcome).toBe('csrf_none')
    expect(evaluateCsrf({ status: 403, body: { error: 'ApiErrorForbidden: x' } }).health).toBe('bad')
  })

  it.each([
    [{ wheelhouse: { version: '1' } }, true, 'age_embedded', []],
    [{ tsdb_enabled: false }, true, 'age_newer', ['sessions', 'sign_out', 'audit', 'address_preview']],
    [{ tsdb_enabled: false }, false, 'age_middle', ['sessions', 'sign_out', 'audit', 'address_preview']],
    [{}, false, 'age_older', ['sessions', 'sign_out', 'audit', 'address_preview']],
  ] as const)('evaluates the version of a server with %o and CSRF %s', (setting, hasCsrf, outcome, hidden) => {
    expect(evaluateVersion({ setting, hasCsrf })).toMatchObject({ outcome, hidden })
  })

  it.each([
    [undefined, true, 'not_reached'],
    [{ wheelhouse: {} }, false, 'signed_out'],
    [{ wheelhouse: { mcp: true } }, true, 'mcp_on'],
    [{ wheelhouse: { mcp: false } }, true, 'mcp_off'],
    [{ wheelhouse: {} }, true, 'mcp_none'],
    [{ tsdb_enabled: false, version: '2.3.7', config: { enable_mcp: true } }, true, 'mcp_on'],
    [{ tsdb_enabled: false, version: '2.3.7', config: {} }, true, 'mcp_off'],
    // Members of a Nezha server.
    [{ tsdb_enabled: false, config: {} }, true, 'mcp_unknown'],
    [{ version: '1.14.14' }, true, 'mcp_none'],
  ] as const)('says of a server with %o (signed in: %s) about programs: %s', (setting, isSignedIn, outcome) => {
    const result = evaluateMcp(setting, isSignedIn, 'https://a.example/mcp')
    expect(result).toMatchObject({ check: 'mcp', outcome })
    expect(result.health).toBe(['mcp_on', 'mcp_off'].includes(outcome) ? 'good' : 'skipped')
  })

  it('removes an ended session before it calls a public route', async () => {
    setCookie('nz-jwt', 'revoked')
    let cookiesThen: string | undefined
    const requests = fakeServer({
      'GET profile': () => failure('ApiErrorUnauthorized'),
      'GET setting': () => {
        cookiesThen = document.cookie
        return { config: {} }
      },
    })
    vi.stubGlobal('WebSocket', socketOf('refused'))
    const results: CheckResult[] = []
    await runChecks((result) => results.push(result))
    expect(calls(requests)).toEqual(['GET profile', 'GET setting'])
    expect(cookiesThen).not.toContain('nz-jwt')
    expect(results.map(({ check }) => check).sort()).toEqual([...checkNames].sort())
    expect(results.find(({ check }) => check === 'cookies')?.outcome).toBe('cookies_over')
  })

  it.each([
    ['good', 'socket_good'],
    ['refused', 'socket_refused'],
    ['silent', 'socket_silent'],
    ['stopped', 'socket_stopped'],
  ] as const)('evaluates a WebSocket that is %s as %s', async (kind, outcome) => {
    expect((await checkSocket(true, socketOf(kind))).outcome).toBe(outcome)
  })
})

describe('The texts of the connection check', () => {
  it.each(locales)('are complete in $name', async ({ locale }) => {
    const [english, texts] = await Promise.all([loadTexts('en-US'), loadTexts(locale)])
    for (const outcome of outcomes) {
      const gaps = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort()
      expect(gaps(texts.outcomes[outcome]), outcome).toEqual(gaps(english.outcomes[outcome]))
      if (locale !== 'en-US') expect(texts.outcomes[outcome]).not.toBe(english.outcomes[outcome])
    }
  })

  it('have configurations for both proxies, with WebSocket headers', () => {
    for (const { nginx, caddy } of Object.values(proxyConfigs)) expect(nginx && caddy).toBeTruthy()
    expect(proxyConfigs.sockets.nginx).toMatch(/Upgrade \$http_upgrade;[\s\S]*Connection "upgrade";/)
  })

  it('are copied without addresses and secrets', async () => {
    const results = [
      evaluateAddress(true, '198.51.100.7', 'monitor.example.org'),
      evaluateTls({ protocol: 'http:', hostname: 'monitor.example.org' }),
    ]
    const report = reportText(results, await loadTexts('en-US'), {
      consoleVersion: '1.2.3',
      browser: 'Browser/1',
      protocol: 'http:',
      at: new Date(0),
    })
    expect(report).toContain('[good] address: address_good')
    expect(report).toContain('[warning] tls: tls_missing')
    expect(report).not.toMatch(/198\.51|monitor\.example|\{\{/)
  })
})

/** A browser's WebSocket to a server, or to a proxy, that behaves like that. */
function socketOf(kind: 'good' | 'refused' | 'silent' | 'stopped'): typeof WebSocket {
  return class extends EventTarget {
    onopen?: () => void
    onmessage?: () => void
    onclose?: () => void
    constructor() {
      super()
      queueMicrotask(() => {
        if (kind === 'refused') return this.onclose?.()
        this.onopen?.()
        if (kind !== 'silent') this.onmessage?.()
        if (kind === 'good') this.onmessage?.()
        this.onclose?.()
      })
    }
    close() {}
  } as unknown as typeof WebSocket
}
