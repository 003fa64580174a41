import { beforeAll, describe, expect, it } from 'vitest'
import { writeSite } from '../../../server/site/site.ts'
import { type DataApp, dataApp, member, withServer } from '../../support/console/dataApp.ts'
import { expectAsRecorded, named, readRecording } from '../../support/recorded/recording.ts'

describe.each(['nat', 'ddns'])('exchanges of the recording "%s" are answered the same', (file) => {
  let data: DataApp
  beforeAll(async () => {
    data = await withServer()
    writeSite(data.store, { install_host: '127.0.0.1:8028' })
  })

  it.each(named(readRecording(file)))('%s', async (_, one) => {
    await expectAsRecorded(data, one)
  })
})

const profile = { name: 'n', server_id: 1, host: '127.0.0.1:80', domain: 'nas.example.org' }

describe('a NAT profile', () => {
  it('refuses host names of the console itself, with or without a port', async () => {
    const data = await withServer()
    writeSite(data.store, { dashboard_host: 'console.example.org', reserved_hosts: 'a.example.org, B.example.org' })
    for (const domain of ['console.example.org', 'console.example.org:443', 'b.example.org', '127.0.0.1:9']) {
      expect((await data.call('POST', 'nat', { ...profile, domain })).body).toEqual({ error: 'permission denied' })
    }
    expect((await data.call('POST', 'nat', profile)).body).toEqual({ success: true, data: 1 })
  })

  it('can be saved again with its own host name', async () => {
    const data = await withServer()
    await data.call('POST', 'nat', profile)
    expect((await data.call('PATCH', 'nat/1', { ...profile, name: 'other' })).body).toEqual({ success: true })
  })

  it('cannot name somebody else’s server', async () => {
    const data = await withServer()
    expect((await data.call('POST', 'nat', profile, member)).body).toEqual({ error: 'permission denied' })
  })
})

describe('the domains of a DDNS profile', () => {
  it.each([
    ['a b', 'error parsing a b: idna: disallowed rune U+0020'],
    ['a/b', 'error parsing a/b: idna: disallowed rune U+002F'],
    ['xn--iñvalid', 'error parsing xn--iñvalid: idna: invalid label "xn--iñvalid"'],
  ])('are refused when one is "%s"', async (domain, error) => {
    const { call } = await dataApp()
    const reply = await call('POST', 'ddns', { name: 'd', max_retries: 1, domains: ['good.example', domain] })
    expect(reply.body).toEqual({ error })
  })
})
