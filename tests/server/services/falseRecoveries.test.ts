import { describe, expect, it } from 'vitest'
import { compareCertificate, type KnownCertificate } from '../../../server/services/certificates.ts'
import { createServiceStatus, unknownStatus } from '../../../server/services/serviceStatus.ts'
import { serviceFixture } from '../../support/server/fixtures/serviceFixture.ts'

const bounds = { min: 0, max: 0 }
const refused = { outcome: 'down', problem: 'refused' } as const
const answered = { outcome: 'up', delay: 1 } as const
const servers = (count: number) => new Set(Array.from({ length: count }, (_, index) => index + 1))

describe('a service that never answered', () => {
  it('is not told to answer again when new agents connect', () => {
    const status = createServiceStatus(unknownStatus())
    status.setServers(servers(1))
    expect(status.addResult(1, refused, bounds, 0)).toMatchObject([{ kind: 'down' }])
    status.setServers(servers(50))
    const later = Array.from({ length: 50 }, (_, index) => status.addResult(index + 1, refused, bounds, index))
    expect(later.flat()).toEqual([])
    expect(status.status()).toBe('down')
  })

  it('is not told to answer again when the servers that saw it down have gone', () => {
    const status = createServiceStatus(unknownStatus())
    status.setServers(servers(2))
    status.addResult(1, refused, bounds, 0)
    status.addResult(2, refused, bounds, 0)
    expect(status.status()).toBe('down')
    status.setServers(new Set())
    status.setServers(new Set([3, 4, 5]))
    expect([3, 4, 5].flatMap((id) => status.addResult(id, refused, bounds, 1))).toEqual([])
  })

  it('answers again once it does', () => {
    const status = createServiceStatus(unknownStatus())
    status.setServers(servers(3))
    for (const id of [1, 2, 3, 1, 2, 3]) status.addResult(id, refused, bounds, 0)
    const changes = [1, 2, 3, 1, 2, 3].flatMap((id) => status.addResult(id, answered, bounds, 1))
    expect(changes).toEqual([{ kind: 'up' }])
  })
})

describe('while this server stands still, as in a sleep of its machine', () => {
  it('services are neither down because no answer could be read, nor up again after that', async () => {
    const { add, pass, host, clock, notifications, services } = await serviceFixture()
    let stillMs = 0
    let isUp = true
    host.reply = async () => {
      clock.now += stillMs
      host.report({ at: new Date(clock.now) })
      return isUp && stillMs === 0 ? answered : refused
    }
    const id = add({ notify: true, notification_group_id: 1 })
    await pass(31)
    expect(services.checker.stateOf(id)).toBe('up')
    stillMs = 60_000
    await pass(300)
    expect(services.checker.stateOf(id)).toBe('up')
    ;[stillMs, isUp] = [0, false]
    await pass(91)
    expect(services.checker.stateOf(id)).toBe('down')
    stillMs = 60_000
    await pass(300)
    expect(services.checker.stateOf(id)).toBe('down')
    expect(notifications.map(({ message }) => message.split(' ')[0])).toEqual(['[Down]'])
  })
})

describe('a name that leads to several machines with certificates of their own', () => {
  const day = 86_400_000
  const [a, b] = [
    { issuer: 'A', expiresAt: 6 * day },
    { issuer: 'A', expiresAt: 6.5 * day },
  ]

  it('is notified once for each certificate and threshold, however often they alternate and whoever sees them', () => {
    let known: readonly KnownCertificate[] = []
    const seen: string[] = []
    const lastOf = new Map<number, typeof a>()
    for (let hour = 0; hour < 24 * 8; hour++) {
      for (const server of [1, 2, 3]) {
        const certificate = (hour + server) % 2 ? a : b
        const result = compareCertificate(known, lastOf.get(server), certificate, (hour * day) / 24)
        known = result.known
        lastOf.set(server, certificate)
        for (const { kind, certificate } of result.changes) seen.push(`${kind} ${certificate.expiresAt / day}`)
      }
    }
    expect(seen.filter((text) => text.startsWith('certificate changed'))).toHaveLength(1)
    expect(seen.filter((text) => text === 'certificate ends 6')).toHaveLength(3)
    expect(seen.filter((text) => text === 'certificate ends 6.5')).toHaveLength(3)
    expect(seen).toHaveLength(7)
  })

  it('is notified of a replacement that a new server was the first to see', () => {
    const first = compareCertificate([], undefined, a, 0)
    const fresh = { issuer: 'B', expiresAt: 400 * day }
    const second = compareCertificate(first.known, undefined, fresh, 0)
    expect(second.changes).toEqual([])
    expect(compareCertificate(second.known, a, fresh, 0).changes).toMatchObject([{ kind: 'certificate changed' }])
  })

  it('keeps what an older version has saved', () => {
    const saved = { ...unknownStatus(), certificates: { 1: { ...a, warnedDays: 7 } } }
    const status = createServiceStatus(saved)
    expect(status.addCertificate(1, a, 0)).toEqual([])
  })
})
