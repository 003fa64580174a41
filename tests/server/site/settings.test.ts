import { describe, expect, it } from 'vitest'
import { StartError } from '../../../server/log.ts'
import { readSettings } from '../../../server/settings.ts'
import { exposureWarning } from '../../../server/start/runningServer.ts'

describe('the settings of a start', () => {
  it('need nothing to be set', () => {
    const settings = readSettings({ XDG_DATA_HOME: '/data' })
    expect(settings).toMatchObject({ port: 8008, host: '127.0.0.1' })
    expect(settings.adminPassword).toBeUndefined()
    expect(settings.publicUrl).toBeUndefined()
    expect(settings.dataDir).toMatch(/wheelhouse$/)
  })

  it.runIf(process.platform === 'linux')('keep the data where Linux keeps the data of a user', () => {
    expect(readSettings({ XDG_DATA_HOME: '/data' }).dataDir).toBe('/data/wheelhouse')
    expect(readSettings({}).dataDir).toMatch(/\/\.local\/share\/wheelhouse$/)
    expect(readSettings({ XDG_DATA_HOME: 'relative' }).dataDir).toMatch(/\/\.local\/share\/wheelhouse$/)
  })

  it('treat an empty value as none', () => {
    expect(readSettings({ PORT: '', HOST: '', DATA_DIR: '', ADMIN_PASSWORD: '', PUBLIC_URL: '' })).toEqual(
      readSettings({}),
    )
  })

  it('are read as they are given', () => {
    const given = {
      PORT: '0',
      HOST: '[::1]',
      HISTORY_DAYS: '90',
      DATA_DIR: '/srv/w',
      ADMIN_PASSWORD: '12345678',
      PUBLIC_URL: 'https://a.example',
      REAL_IP_HEADER: 'X-Real-IP',
      DISABLE_COMMAND_EXECUTE: 'true',
      WATCH_THIS_MACHINE: 'false',
      ALLOW_PRIVATE_TARGETS: 'true',
      ALLOW_UNRELEASED_NAMES: 'true',
      FORCE_AUTH: 'true',
    }
    expect(readSettings(given)).toEqual({
      port: 0,
      host: '::1',
      historyDays: 90,
      dataDir: '/srv/w',
      adminPassword: '12345678',
      publicUrl: new URL('https://a.example'),
      realIpHeader: 'X-Real-IP',
      commandsDisabled: true,
      ownMachineIgnored: true,
      allowPrivateTargets: true,
      allowUnreleasedNames: true,
      forceAuth: true,
    })
  })

  it.each([
    ['PORT', ['65536', '-1', '80.5', '0x50', 'http', ' 80', '1e3']],
    ['HOST', ['http://127.0.0.1', '127.0.0.1/8', 'a b', 'host:80/']],
    ['ADMIN_PASSWORD', ['1234567', 'x'.repeat(73), 'ü'.repeat(37)]],
    [
      'PUBLIC_URL',
      ['console.example.org', 'ftp://a.example', 'https://a.example/sub', 'https://u:p@a.example', 'https://'],
    ],
    ['DISABLE_COMMAND_EXECUTE', ['tru', '2', 'disable', ' true']],
    ['WATCH_THIS_MACHINE', ['flase', 'none']],
    ['ALLOW_PRIVATE_TARGETS', ['tru', 'members']],
    ['FORCE_AUTH', ['tru', 'guests']],
    ['REAL_IP_HEADER', ['X Real IP', 'NZ::Other', 'X-Real-IP:']],
    ['UPSTREAM', ['monitor.example.org', 'wss://a.example', 'https://a.example/dashboard', 'https://u:p@a.example']],
    ['UPSTREAM_CA', ['ca.pem']],
    ['TRUSTED_PROXY', ['127.0.0.1']],
    ['HISTORY_DAYS', ['30', '401', 'a year', '-40', '40.5']],
    ['METRICS_ALLOW', ['prometheus', '10.0.0.5/8', '127.0.0.1;::1', '10.0.0.0/40', '127.0.0.1:9090']],
  ])('refuse a bad %s in one sentence that names it and the remedy', (name, values) => {
    for (const value of values) {
      const read = () => readSettings({ [name]: value })
      expect(read).toThrow(StartError)
      expect(read).toThrow(new RegExp(`^${name} .*: (set|choose) .*\\.$`))
      if (name === 'ADMIN_PASSWORD') expect(read).not.toThrow(value)
    }
  })

  it('allow commands unless they are switched off', () => {
    const disabled = (text?: string) => readSettings({ DISABLE_COMMAND_EXECUTE: text }).commandsDisabled
    expect([undefined, '', 'false', '0', 'no', 'off'].map(disabled)).toEqual(Array(6).fill(false))
    expect(['true', 'TRUE', '1', 'yes', 'on'].map(disabled)).toEqual(Array(5).fill(true))
  })

  it('watch this machine unless that is switched off', () => {
    const ignored = (text?: string) => readSettings({ WATCH_THIS_MACHINE: text }).ownMachineIgnored
    expect([undefined, '', 'true', 'on'].map(ignored)).toEqual(Array(4).fill(false))
    expect(['false', '0', 'no', 'off'].map(ignored)).toEqual(Array(4).fill(true))
  })

  it('include the upstream of a gateway, its certificates, and trusted proxies', () => {
    const settings = readSettings({
      UPSTREAM: 'https://monitor.example.org:8443',
      UPSTREAM_CA: '/etc/ca.pem',
      TRUSTED_PROXY: '127.0.0.1, ::1',
    })
    expect(settings).toMatchObject({
      upstream: new URL('https://monitor.example.org:8443'),
      upstreamCa: '/etc/ca.pem',
      trustedProxies: ['127.0.0.1', '::1'],
    })
    expect(() => readSettings({ UPSTREAM: 'http://a.example', TRUSTED_PROXY: '127.0.0.1,proxy' })).toThrow(
      'TRUSTED_PROXY has "proxy": set it to the addresses of your proxies, like 127.0.0.1.',
    )
  })

  it('keep charts for a month, longer where somebody wants it, and no history for a gateway', () => {
    expect(readSettings({}).historyDays).toBe(31)
    expect(readSettings({ HISTORY_DAYS: '400' }).historyDays).toBe(400)
    const cluster = { DATABASE_URL: 'postgres://127.0.0.1/x', CLUSTER_KEY: Buffer.alloc(32).toString('base64') }
    expect(readSettings(cluster).historyDays).toBe(400)
    expect(readSettings({ ...cluster, HISTORY_DAYS: '3660' }).historyDays).toBe(3660)
    expect(() => readSettings({ UPSTREAM: 'https://a.example', HISTORY_DAYS: '400' })).toThrow('leave it out')
  })

  it('include who may read the metrics, unless they are those of a gateway', () => {
    expect(readSettings({}).metricsAllow).toBeUndefined()
    const { metricsAllow } = readSettings({ METRICS_ALLOW: '192.0.2.7, 10.0.0.0/8,2001:db8::/32' })
    const allowed = ['192.0.2.7', '10.1.2.3', '2001:db8::1', '::ffff:10.1.2.3', '192.0.2.8', '::1', '']
    expect(allowed.map((address) => metricsAllow?.has(address))).toEqual([true, true, true, true, false, false, false])
    expect(() => readSettings({ METRICS_ALLOW: '127.0.0.1, proxy' })).toThrow(/^METRICS_ALLOW has "proxy": set it to /)
    expect(() => readSettings({ METRICS_ALLOW: '127.0.0.1', UPSTREAM: 'https://a.example' })).toThrow(
      'METRICS_ALLOW is set beside UPSTREAM: set only one of them',
    )
  })

  it('want a password of at least 8 characters and at most 72 bytes', () => {
    expect(readSettings({ ADMIN_PASSWORD: 'ü'.repeat(36) }).adminPassword).toHaveLength(36)
    for (const wrong of ['üüüü', 'ü'.repeat(37)])
      expect(() => readSettings({ ADMIN_PASSWORD: wrong })).toThrow(/^ADMIN_PASSWORD has/)
  })
})

describe('listening', () => {
  it.each(['127.0.0.1', 'localhost', '::1', '127.8.8.8'])('on %s needs no warning', (host) => {
    expect(exposureWarning({ host })).toBeUndefined()
  })

  it.each(['0.0.0.0', '::', '192.168.1.5', 'myhost'])('on %s causes a warning', (host) => {
    expect(exposureWarning({ host })).toMatch(/one password away from a shell .* not encrypted/)
  })

  it('as a gateway names the upstream in the warning', () => {
    const upstream = new URL('https://monitor.example.org')
    expect(exposureWarning({ host: '0.0.0.0', upstream })).toMatch(
      /a shell on the servers of monitor\.example\.org, and/,
    )
  })
})
