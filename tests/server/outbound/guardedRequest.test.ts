import { describe, expect, it, vi } from 'vitest'
import { guardedRequest } from '../../../server/outbound/guardedRequest.ts'
import { resolveTarget, TargetRefusal } from '../../../server/outbound/resolveTarget.ts'
import { receiver } from '../../support/fakes/receiver.ts'

/** Two addresses of this machine play the internet: what members may reach, and what leads back in. */
const outside = '127.0.0.2'
vi.mock('../../../server/outbound/targets.ts', async (original) => {
  const targets = await original<typeof import('../../../server/outbound/targets.ts')>()
  return { ...targets, placeOf: (address: string) => (address === '127.0.0.2' ? 'outside' : targets.placeOf(address)) }
})

const get = (url: string, headers: Record<string, string> = {}) =>
  ({ url, method: 'GET', headers: () => headers, verifyTls: false }) as const

const refused = 'HTTP URL target is not allowed'

describe('a call for a member', () => {
  it('goes out, and a redirect that leads behind the server is refused before anybody there is called', async () => {
    const inner = await receiver()
    const outer = await receiver((reply) => reply.writeHead(307, { location: `${inner.origin}/admin` }).end(), {
      address: outside,
    })
    await expect(guardedRequest(get(outer.origin), { reachesInside: false })).rejects.toThrow(refused)
    expect(outer.deliveries).toHaveLength(1)
    expect(inner.deliveries).toEqual([])
    expect(await guardedRequest(get(outer.origin), { reachesInside: true })).toMatchObject({ code: 200 })
  })

  it('is refused at the second redirect as at the first', async () => {
    const inner = await receiver()
    const outer = await receiver(
      (reply, { url }) => reply.writeHead(302, { location: url === '/' ? '/next' : inner.origin }).end(),
      { address: outside },
    )
    await expect(guardedRequest(get(outer.origin), { reachesInside: false })).rejects.toBeInstanceOf(TargetRefusal)
    expect(outer.deliveries.map(({ url }) => url)).toEqual(['/', '/next'])
    expect(inner.deliveries).toEqual([])
  })

  it.each(['http://127.1/', 'http://0177.0.0.1/', 'http://0x7f000001/', 'http://2130706433/', 'http://[::1]/'])(
    'sees through %s',
    async (url) => {
      await expect(guardedRequest(get(url), { reachesInside: false })).rejects.toThrow(`${refused}: it lies`)
    },
  )
})

describe('a call for anybody', () => {
  it.each([
    ...['http://169.254.169.254/', 'http://2852039166/', 'http://0251.0376.0251.0376/', 'http://0xa9fea9fe/'],
    ...['http://[::ffff:169.254.169.254]/', 'http://[::ffff:a9fe:a9fe]/', 'http://[fd00:ec2::254]/'],
    ...['http://[fe80::1]/', 'http://100.100.100.200/', 'file:///etc/passwd', 'gopher://127.0.0.1/'],
  ])('does not go to %s', async (url) => {
    await expect(guardedRequest(get(url), { reachesInside: true })).rejects.toThrow(new RegExp(`^${refused}$`))
  })

  it('says tokens only to the host that they were meant for, and never without TLS after with it', async () => {
    const plain = await receiver(undefined, { address: outside })
    const tls = await receiver((reply) => reply.writeHead(302, { location: plain.origin }).end(), {
      isTls: true,
      address: outside,
    })
    await guardedRequest(get(tls.origin, { authorization: 'Bearer x' }), { reachesInside: false })
    expect(tls.deliveries[0]?.headers.authorization).toBe('Bearer x')
    expect(plain.deliveries[0]?.headers.authorization).toBeUndefined()
  })

  it('reads as much of a reply as is wanted, though its end never comes', async () => {
    const { origin } = await receiver((reply) => void reply.writeHead(200).write('x'.repeat(5000)))
    expect((await guardedRequest(get(origin), { reachesInside: true, keepBytes: 100 })).body).toBe('x'.repeat(100))
    const short = await receiver((reply) => void reply.writeHead(201).write('begun'))
    const late = guardedRequest(get(short.origin), { reachesInside: true, keepBytes: 100, timeoutMs: 200 })
    expect(await late).toMatchObject({ code: 201, body: 'begun' })
  })

  it('tells when the certificate ends', async () => {
    const { origin } = await receiver(undefined, { isTls: true })
    const { certificate } = await guardedRequest(get(origin), { reachesInside: true })
    expect(certificate).toEqual({ issuer: 'localhost', expiresAt: Date.parse('2120-01-01T00:00:00Z') })
  })

  it('ends when whoever asked for it does not want it any more', async () => {
    const { origin } = await receiver(() => {})
    const ending = new AbortController()
    const call = guardedRequest(get(origin), { reachesInside: true, signal: ending.signal })
    ending.abort()
    await expect(call).rejects.toThrow('Get "http://127.0.0.1')
  })
})

describe('a target that is connected to without the web', () => {
  it('is resolved and judged in one, under its own name', async () => {
    expect(await resolveTarget(outside, { reachesInside: false })).toEqual([outside])
    const member = { reachesInside: false }
    await expect(resolveTarget('localhost', member, 'TCP target')).rejects.toThrow('TCP target is not allowed: it lies')
    // The resolver of the system reads numbers as addresses, too.
    await expect(resolveTarget('2130706433', member)).rejects.toThrow(refused)
    const admin = { reachesInside: true }
    expect(await resolveTarget('127.0.0.1', admin)).toEqual(['127.0.0.1'])
    await expect(resolveTarget('fe80::1%lo', admin)).rejects.toThrow(refused)
    await expect(resolveTarget('', admin)).rejects.toThrow(refused)
  })
})
