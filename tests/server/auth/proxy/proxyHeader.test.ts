import { describe, expect, it } from 'vitest'
import { readAddressRanges } from '../../../../server/auth/addresses/addressRanges.ts'
import { proxyProblem } from '../../../../server/auth/providers/kinds.ts'
import { type IdentityProxy, readProxiedPerson } from '../../../../server/auth/providers/proxyHeader.ts'
import { proxySettings } from '../../../../src/schemas/account/proxySettings.ts'

function proxyWith(settings: object = {}): IdentityProxy {
  const read = proxySettings.parse({ addresses: '10.0.0.5, 192.0.2.0/24', groups_header: 'Remote-Groups', ...settings })
  const addresses = readAddressRanges(read.addresses)
  if (typeof addresses === 'string') throw new Error(addresses)
  return { ...read, addresses }
}

const from = (remoteAddress: string | undefined, ...rawHeaders: string[]) =>
  readProxiedPerson({ rawHeaders, socket: { remoteAddress } }, proxyWith())

describe('the header of a proxy', () => {
  it('names a person and their groups', () => {
    expect(from('10.0.0.5', 'remote-user', 'alice', 'Remote-Groups', 'admins, ops,,ops')).toEqual({
      username: 'alice',
      groups: ['admins', 'ops'],
    })
  })

  it.each(['10.0.0.6', '::1', '', undefined])('says nothing in a connection from %s', (address) => {
    expect(
      from(address, 'Remote-User', 'alice', 'X-Forwarded-For', '10.0.0.5', 'X-Real-IP', '10.0.0.5'),
    ).toBeUndefined()
  })

  it('counts from an IPv4 address that is written as IPv6', () => {
    expect(from('::ffff:192.0.2.7', 'Remote-User', 'alice')?.username).toBe('alice')
  })

  it('says nobody when it is missing or empty', () => {
    expect(from('10.0.0.5')).toBeUndefined()
    expect(from('10.0.0.5', 'Remote-User', '  ')).toBeUndefined()
  })

  it.each([
    ['came twice', ['Remote-User', 'alice', 'remote-user', 'admin'], 'Remote-User came 2 times'],
    [
      'came twice with groups',
      ['Remote-User', 'alice', 'Remote-Groups', 'a', 'Remote-Groups', 'b'],
      'Remote-Groups came 2 times',
    ],
    ['has a control character', ['Remote-User', 'ali\tce'], 'characters that no name has'],
    [
      'has a character without a shape',
      ['Remote-User', Buffer.from('ali\u200bce').toString('latin1')],
      'characters that no name has',
    ],
    ['is no UTF-8', ['Remote-User', 'ali\xff'], 'characters that no name has'],
    ['is too long', ['Remote-User', 'a'.repeat(257)], 'Remote-User is too long'],
    [
      'has too many groups',
      ['Remote-User', 'alice', 'Remote-Groups', Array.from({ length: 10_001 }, (_, at) => at).join()],
      'more than 10000 groups',
    ],
  ])('is refused when it %s', (_, headers, words) => {
    expect(() => from('10.0.0.5', ...headers)).toThrow(words)
  })

  it('may have letters of every language', () => {
    const name = Buffer.from('Jürgen Müller').toString('latin1')
    expect(from('10.0.0.5', 'Remote-User', name)?.username).toBe('Jürgen Müller')
  })

  it('says no group when the header for them is left out, and nothing about them when nobody asks', () => {
    expect(from('10.0.0.5', 'Remote-User', 'alice')?.groups).toEqual([])
    const request = { rawHeaders: ['Remote-User', 'alice'], socket: { remoteAddress: '10.0.0.5' } }
    expect(readProxiedPerson(request, proxyWith({ groups_header: '' }))?.groups).toBeUndefined()
  })

  it('may have groups with commas, by another separator', () => {
    const rawHeaders = ['Remote-User', 'alice', 'Remote-Groups', 'cn=a,dc=b;cn=c,dc=b']
    const request = { rawHeaders, socket: { remoteAddress: '10.0.0.5' } }
    expect(readProxiedPerson(request, proxyWith({ separator: ';' }))?.groups).toEqual(['cn=a,dc=b', 'cn=c,dc=b'])
  })
})

describe('the settings of a proxy', () => {
  it.each([
    ['no addresses', { addresses: '' }],
    ['a host name in place of an address', { addresses: 'proxy.example.org' }],
    ['a header that every client sends', { header: 'Cookie' }],
    ['a header with an underscore, which web servers mix up', { header: 'Remote_User' }],
    ['no header', { header: '' }],
    ['a sign-out on another host without a scheme', { sign_out_url: '//evil.example' }],
    ['a sign-out that runs a script', { sign_out_url: 'javascript:alert(1)' }],
  ])('are refused with %s', (_, settings) => {
    const parsed = proxySettings.safeParse({ addresses: '10.0.0.5', ...settings })
    expect(parsed.success ? proxyProblem(parsed.data) : 'missing').toBeTruthy()
  })
})
