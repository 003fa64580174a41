import { describe, expect, it, vi } from 'vitest'
import { resolveTarget, TargetNotAllowedError } from '../../../server/outbound/dial.ts'
import { guardedRequest } from '../../../server/outbound/guardedRequest.ts'
import { receiver } from '../../support/fakes/receiver.ts'

/** An address of this machine that counts as public in these tests. */
const publicAddress = '127.0.0.2'
vi.mock('../../../server/outbound/addressScope.ts', async (original) => {
  const actual = await original<typeof import('../../../server/outbound/addressScope.ts')>()
  return { addressScope: (address: string) => (address === '127.0.0.2' ? 'public' : actual.addressScope(address)) }
})

const get = (url: string, headers: Record<string, string> = {}) =>
  ({ url, method: 'GET', headers: () => headers, verifyTls: false }) as const

const refused = 'HTTP URL target is not allowed'

describe('a request for a member', () => {
  it('is sent to a public address, and a redirect to a private one is refused before that is called', async () => {
    const inner = await receiver()
    const outer = await receiver((reply) => reply.writeHead(307, { location: `${inner.origin}/admin` }).end(), {
      address: publicAddress,
    })
    await expect(guardedRequest(get(outer.origin), { allowPrivate: false })).rejects.toThrow(refused)
    expect(outer.deliveries).toHaveLength(1)
    expect(inner.deliveries).toEqual([])
    expect(await guardedRequest(get(outer.origin), { allowPrivate: true })).toMatchObject({ code: 200 })
  })

  it('is refused when the second redirect leads to a private address', async () => {
    const inner = await receiver()
    const outer = await receiver(
      (reply, { url }) => reply.writeHead(302, { location: url === '/' ? '/next' : inner.origin }).end(),
      { address: publicAddress },
    )
    await expect(guardedRequest(get(outer.origin), { allowPrivate: false })).rejects.toBeInstanceOf(
      TargetNotAllowedError,
    )
    expect(outer.deliveries.map(({ url }) => url)).toEqual(['/', '/next'])
    expect(inner.deliveries).toEqual([])
  })

  it.each(['http://127.1/', 'http://0177.0.0.1/', 'http://0x7f000001/', 'http://2130706433/', 'http://[::1]/'])(
    'is refused for the loopback notation %s',
    async (url) => {
      await expect(guardedRequest(get(url), { allowPrivate: false })).rejects.toThrow(`${refused}: it lies`)
    },
  )
})

describe('a request for anybody', () => {
  it.each([
    'http://169.254.169.254/',
    'http://2852039166/',
    'http://0251.0376.0251.0376/',
    'http://0xa9fea9fe/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://100.100.100.200/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
  ])('is never sent to %s', async (url) => {
    await expect(guardedRequest(get(url), { allowPrivate: true })).rejects.toThrow(new RegExp(`^${refused}$`))
  })

  it('sends headers only to the original host, and not without TLS after a redirect from https', async () => {
    const plain = await receiver(undefined, { address: publicAddress })
    const tls = await receiver((reply) => reply.writeHead(302, { location: plain.origin }).end(), {
      isTls: true,
      address: publicAddress,
    })
    await guardedRequest(get(tls.origin, { authorization: 'Bearer x' }), { allowPrivate: false })
    expect(tls.deliveries[0]?.headers.authorization).toBe('Bearer x')
    expect(plain.deliveries[0]?.headers.authorization).toBeUndefined()
  })

  it('reads up to maxBodyBytes of a reply that never ends', async () => {
    const { origin } = await receiver((reply) => void reply.writeHead(200).write('x'.repeat(5000)))
    expect((await guardedRequest(get(origin), { allowPrivate: true, maxBodyBytes: 100 })).body).toBe('x'.repeat(100))
  })

  it('returns issuer and expiry of the certificate', async () => {
    const { origin } = await receiver(undefined, { isTls: true })
    const { certificate } = await guardedRequest(get(origin), { allowPrivate: true })
    expect(certificate).toEqual({ issuer: 'localhost', expiresAt: Date.parse('2120-01-01T00:00:00Z') })
  })

  it('is aborted by the signal of the caller', async () => {
    const { origin } = await receiver(() => {})
    const controller = new AbortController()
    const reply = guardedRequest(get(origin), { allowPrivate: true, signal: controller.signal })
    controller.abort()
    await expect(reply).rejects.toThrow('Get "http://127.0.0.1')
  })
})

describe('resolveTarget, for connections other than HTTP', () => {
  it('checks the addresses of a name and uses the given label in errors', async () => {
    expect(await resolveTarget(publicAddress, { allowPrivate: false })).toEqual([publicAddress])
    const member = { allowPrivate: false }
    await expect(resolveTarget('localhost', member, 'TCP target')).rejects.toThrow('TCP target is not allowed: it lies')
    // The system's resolver also reads a plain number as an address.
    await expect(resolveTarget('2130706433', member)).rejects.toThrow(refused)
    const admin = { allowPrivate: true }
    expect(await resolveTarget('127.0.0.1', admin)).toEqual(['127.0.0.1'])
    await expect(resolveTarget('fe80::1%lo', admin)).rejects.toThrow(refused)
    await expect(resolveTarget('', admin)).rejects.toThrow(refused)
  })
})
