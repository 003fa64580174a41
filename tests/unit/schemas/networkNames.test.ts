import { describe, expect, it } from 'vitest'
import { isDomain } from '../../../src/schemas/ddns.ts'
import { isSameAddress } from '../../../src/schemas/formats/sameAddress.ts'
import { parseStringMap } from '../../../src/schemas/formats/stringMap.ts'
import { isLocalService, nat } from '../../../src/schemas/nat.ts'
import { user } from '../../../src/schemas/user.ts'

describe('a domain name', () => {
  it.each([
    'example.org',
    'a.b.c.example.org',
    'bücher.example',
    '例子.测试',
    '*.example.org',
    '_acme.example.org',
    'localhost',
  ])('may be %s', (text) => expect(isDomain(text)).toBe(true))

  it.each([
    '',
    'a b',
    'http://example.org',
    '-a.example',
    'a..b',
    '.example.org',
    `${'a'.repeat(64)}.org`,
    'a.b.'.repeat(80),
  ])('is not "%s"', (text) => expect(isDomain(text)).toBe(false))
})

describe('a local service', () => {
  it.each(['127.0.0.1:80', 'nas:5000', '[::1]:443', 'a.example.org:65535'])('may be %s', (text) => {
    expect(isLocalService(text)).toBe(true)
  })

  it.each(['nas', 'nas:', 'nas:0', 'nas:65536', 'http://nas:80', '::1:80', 'a b:80', ':80'])('is not "%s"', (text) => {
    expect(isLocalService(text)).toBe(false)
  })

  it('is available under a host name, not under a URL', () => {
    const domain = (text: string) => nat.form.shape.domain.safeParse(text).success
    expect(['nas.example.org', 'nas.example.org:8443'].map(domain)).toEqual([true, true])
    expect(['', 'https://nas.example.org', 'nas.example.org/x', 'a b'].map(domain)).toEqual(Array(4).fill(false))
  })
})

describe('pairs of texts', () => {
  it('are read from the text of a JSON object, and blank text is none', () => {
    expect(parseStringMap('{"a":"b"}')).toEqual({ a: 'b' })
    expect(parseStringMap('  ')).toEqual({})
  })

  it.each(['zzz', '[]', '"a"', '{"a":1}', '{"a":{"b":"c"}}', 'null'])('are not in %s', (text) => {
    expect(parseStringMap(text)).toBeUndefined()
  })
})

describe('a new password', () => {
  const takes = (password: string) => user.form.shape.password.safeParse(password).success

  it('has 8 characters, and no more bytes than servers take', () => {
    expect(['1234567', '12345678', 'x'.repeat(72), 'x'.repeat(73)].map(takes)).toEqual([false, true, true, false])
    expect([`${'密'.repeat(24)}`, `${'密'.repeat(25)}`].map(takes)).toEqual([true, false])
  })
})

describe('two addresses', () => {
  it('are the same client when they are equal or both loopback, and never when one is unknown', () => {
    expect(isSameAddress('198.51.100.1', '198.51.100.1')).toBe(true)
    expect(isSameAddress('::1', '127.0.0.1')).toBe(true)
    expect(isSameAddress('198.51.100.1', '198.51.100.2')).toBe(false)
    expect(isSameAddress(undefined, undefined)).toBe(false)
    expect(isSameAddress('', '')).toBe(false)
  })
})
