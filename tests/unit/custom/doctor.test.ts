// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { locales } from '../../../i18n/locales.ts'
import { addressKind } from '../../../src/custom/doctor/checks/addressKind.ts'
import { checkNames, type Finding, verdicts } from '../../../src/custom/doctor/checks/checkResult.ts'
import { checkSocket } from '../../../src/custom/doctor/checks/checkSocket.ts'
import {
  judgeAddress,
  judgeAge,
  judgeApi,
  judgeClock,
  judgeCsrf,
  judgeTls,
} from '../../../src/custom/doctor/checks/evaluateChecks.ts'
import { examine } from '../../../src/custom/doctor/checks/runChecks.ts'
import type { Reply } from '../../../src/custom/doctor/checks/sendRequest.ts'
import { remedies } from '../../../src/custom/doctor/proxyConfigs.ts'
import { reportOf } from '../../../src/custom/doctor/reportText.ts'
import { loadTexts } from '../../../src/custom/doctor/texts/index.ts'
import { clearCookies } from '../../../src/session/token.ts'
import { calls, failure, fakeServer, setCookie } from '../../support/fakes/fakeServer.ts'

afterEach(() => {
  clearCookies()
  vi.unstubAllGlobals()
})

const verdictOf = ({ verdict, health, remedy }: Finding) => [verdict, health, remedy]

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
  ] as [Reply, string, string | undefined][])('takes the reply %o for %s', (reply, verdict, remedy) => {
    expect(verdictOf(judgeApi(reply))).toEqual([verdict, verdict === 'api_good' ? 'good' : 'bad', remedy])
  })

  it.each([
    ['https:', 'monitor.example.org', 'tls_good'],
    ['http:', '127.0.0.1', 'tls_here'],
    ['http:', '[::1]', 'tls_here'],
    ['http:', '192.168.1.5', 'tls_missing'],
    ['http:', 'monitor.example.org', 'tls_missing'],
  ])('judges a page of %s//%s as %s', (protocol, hostname, verdict) => {
    expect(judgeTls({ protocol, hostname }).verdict).toBe(verdict)
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
  ])('takes %s for an address of the kind %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind)
  })

  it('warns where the server takes the proxy for everybody, or knows nobody', () => {
    expect(judgeAddress(true, '198.51.100.7', 'a.example').verdict).toBe('address_good')
    expect(judgeAddress(true, '10.0.0.2', 'a.example').verdict).toBe('address_inner')
    expect(judgeAddress(true, '10.0.0.2', '10.0.0.1').verdict).toBe('address_good')
    expect(judgeAddress(true, undefined, 'a.example').verdict).toBe('address_none')
    expect(judgeAddress(false, undefined, 'a.example').verdict).toBe('signed_out')
  })

  it('compares clocks, and forgives what the network may have taken', () => {
    const clock = { at: 1_000_000, within: 700 }
    const at = (now: number) => judgeClock({ status: 200, clock }, now)
    expect([at(1_030_000).verdict, at(970_000).verdict]).toEqual(['clock_good', 'clock_good'])
    expect(at(1_090_000)).toMatchObject({ verdict: 'clock_ahead', health: 'warning', values: { seconds: 90 } })
    expect(at(910_000)).toMatchObject({ verdict: 'clock_behind', values: { seconds: 90 } })
    expect(judgeClock({ status: 200 }).verdict).toBe('clock_unknown')
  })

  it('tells a server without the CSRF pair from one that refuses it', () => {
    expect(judgeCsrf(undefined).verdict).toBe('signed_out')
    expect(judgeCsrf({ status: 200, body: { success: true } }).verdict).toBe('csrf_good')
    expect(judgeCsrf({ status: 404, body: { error: '404 Not Found' } }).verdict).toBe('csrf_none')
    expect(judgeCsrf({ status: 403, body: { error: 'ApiErrorForbidden: x' } }).health).toBe('bad')
  })

  it.each([
    [{ wheelhouse: { version: '1' } }, true, 'age_embedded', ['tokens', 'transfers', 'move']],
    [{ tsdb_enabled: false }, true, 'age_newer', ['sessions', 'sign_out', 'audit', 'address_preview']],
    [{ tsdb_enabled: false }, false, 'age_middle', ['sessions', 'sign_out', 'audit', 'address_preview']],
    [{}, false, 'age_older', ['sessions', 'sign_out', 'audit', 'address_preview']],
  ] as const)('judges the age of a server that says %o, with the pair: %s', (setting, hasCsrf, verdict, hidden) => {
    expect(judgeAge({ setting, hasCsrf })).toMatchObject({ verdict, hidden })
  })

  it('forgets a session that is over before it asks anything public', async () => {
    setCookie('nz-jwt', 'revoked')
    let cookiesThen: string | undefined
    const heard = fakeServer({
      'GET profile': () => failure('ApiErrorUnauthorized'),
      'GET setting': () => {
        cookiesThen = document.cookie
        return { config: {} }
      },
    })
    vi.stubGlobal('WebSocket', socketOf('refused'))
    const findings: Finding[] = []
    await examine((finding) => findings.push(finding))
    expect(calls(heard)).toEqual(['GET profile', 'GET setting'])
    expect(cookiesThen).not.toContain('nz-jwt')
    expect(findings.map(({ check }) => check).sort()).toEqual([...checkNames].sort())
    expect(findings.find(({ check }) => check === 'cookies')?.verdict).toBe('cookies_over')
  })

  it.each([
    ['good', 'socket_good'],
    ['refused', 'socket_refused'],
    ['silent', 'socket_silent'],
    ['stopped', 'socket_stopped'],
  ] as const)('calls a WebSocket that is %s %s', async (kind, verdict) => {
    expect((await checkSocket(true, socketOf(kind))).verdict).toBe(verdict)
  })
})

describe('What the check says', () => {
  it.each(locales)('is whole in $name', async ({ locale }) => {
    const [english, texts] = await Promise.all([loadTexts('en-US'), loadTexts(locale)])
    for (const verdict of verdicts) {
      const gaps = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort()
      expect(gaps(texts.verdicts[verdict]), verdict).toEqual(gaps(english.verdicts[verdict]))
      if (locale !== 'en-US') expect(texts.verdicts[verdict]).not.toBe(english.verdicts[verdict])
    }
  })

  it('has lines for both proxies, with what a WebSocket needs', () => {
    for (const { nginx, caddy } of Object.values(remedies)) expect(nginx && caddy).toBeTruthy()
    expect(remedies.sockets.nginx).toMatch(/Upgrade \$http_upgrade;[\s\S]*Connection "upgrade";/)
  })

  it('can be copied without addresses and secrets', async () => {
    const findings = [
      judgeAddress(true, '198.51.100.7', 'monitor.example.org'),
      judgeTls({ protocol: 'http:', hostname: 'monitor.example.org' }),
    ]
    const report = reportOf(findings, await loadTexts('en-US'), {
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
