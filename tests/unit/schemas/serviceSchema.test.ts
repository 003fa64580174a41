import { describe, expect, it } from 'vitest'
import { isSentElsewhere } from '../../../src/schemas/define/entity.ts'
import { isHostName, isHostWithPort, isWebAddress } from '../../../src/schemas/formats/target.ts'
import { service } from '../../../src/schemas/service.ts'

const read = (row: object) => service.api.row?.parse(row)
const send = (body: Record<string, unknown>) => service.api.send?.(body)

describe('whether visitors see a service', () => {
  it('is read from the newer key where there is one', () => {
    expect(read({ id: 1, hide_for_guest: true, enable_show_in_service: true })).toMatchObject({ hide_for_guest: true })
  })

  it('is read from the older key, which means the opposite', () => {
    expect(read({ id: 1, enable_show_in_service: true })).toMatchObject({ hide_for_guest: false })
    expect(read({ id: 1, enable_show_in_service: false })).toMatchObject({ hide_for_guest: true })
  })

  it('is no where an old server says nothing', () => {
    expect(read({ id: 1 })).toEqual({ id: 1, hide_for_guest: true })
  })

  it('stays absent where a newer server leaves it out, and is sent back like that', () => {
    expect(read({ id: 1, display_index: 0 })).toEqual({ id: 1, display_index: 0 })
    expect(send({ name: 'x' })).toEqual({ name: 'x' })
  })

  it('is sent under both names when a service is saved, and nothing else is changed', () => {
    expect(send({ hide_for_guest: true, later: [1] })).toEqual({
      hide_for_guest: true,
      enable_show_in_service: false,
      later: [1],
    })
    expect(send({ hide_for_guest: false })).toMatchObject({ enable_show_in_service: true })
  })
})

describe('the secrets of a check', () => {
  const stored = { target: 'https://example.com', check: { kind: 'http', verify_tls: true, ca: 'one' } }

  it.each([
    [false, 'another page', { ...stored, target: 'https://example.com/other' }],
    [true, 'another host', { ...stored, target: 'https://example.net' }],
    [true, 'another port', { ...stored, target: 'https://example.com:8443' }],
    [true, 'no TLS', { ...stored, target: 'http://example.com:443' }],
    [true, 'a proxy', { ...stored, check: { ...stored.check, proxy: 'http://proxy.example:3128' } }],
    [true, 'no verification', { ...stored, check: { ...stored.check, verify_tls: false } }],
    [true, 'other trusted authorities', { ...stored, check: { ...stored.check, ca: 'two' } }],
    [true, 'the usual authorities', { ...stored, check: { kind: 'http', verify_tls: true } }],
  ])('go elsewhere (%s) with %s', (isElsewhere, _what, values) => {
    expect(isSentElsewhere(service, stored, values)).toBe(isElsewhere)
  })

  it('stay without TLS whatever authorities are named', () => {
    const plain = { target: 'http://example.com', check: { kind: 'http', ca: 'one' } }
    expect(isSentElsewhere(service, plain, { ...plain, check: { kind: 'http' } })).toBe(false)
  })
})

describe('a target', () => {
  it.each(['http://localhost:8080/', 'https://example.com/a?b=c', 'HTTPS://EXAMPLE.COM'])(
    'of pages may be %s',
    (text) => {
      expect(isWebAddress(text)).toBe(true)
    },
  )

  it.each(['example.com', 'ftp://example.com', 'javascript:alert(1)', 'http://', ''])(
    'of pages may not be %j',
    (text) => {
      expect(isWebAddress(text)).toBe(false)
    },
  )

  it.each(['example.com', 'localhost', '192.0.2.1', '2001:db8::1', 'my_host', 'münchen.example', 'example.com.'])(
    'of pings may be %s',
    (text) => {
      expect(isHostName(text)).toBe(true)
    },
  )

  it.each(['example.com:80', 'http://example.com', '192.0.2', '256.1.1.1', 'a b', '-a.com', 'a..b', '', ':::'])(
    'of pings may not be %j',
    (text) => {
      expect(isHostName(text)).toBe(false)
    },
  )

  it.each(['example.com:443', '192.0.2.1:1', '[2001:db8::1]:65535', 'localhost:8080'])('of ports may be %s', (text) => {
    expect(isHostWithPort(text)).toBe(true)
  })

  it.each(['example.com', 'example.com:0', 'example.com:65536', '2001:db8::1:80', ':80', 'http://example.com:80'])(
    'of ports may not be %j',
    (text) => {
      expect(isHostWithPort(text)).toBe(false)
    },
  )
})
