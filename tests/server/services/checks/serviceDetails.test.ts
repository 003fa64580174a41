import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openHistory } from '../../../../server/db/history/openHistory.ts'
import { httpCheck } from '../../../../src/schemas/checks/http.ts'
import { pingCheck } from '../../../../src/schemas/checks/protocols.ts'
import {
  longNamedCertificate,
  renewedCertificate,
  selfSigned,
  undatedCertificate,
} from '../../../support/server/certificates/selfSigned.ts'
import { checkFixture } from '../../../support/server/fixtures/checkFixture.ts'
import { serviceFixture } from '../../../support/server/fixtures/serviceFixture.ts'
import { temporaryFolder } from '../../../support/server/temporaryFolder.ts'

/** A page behind TLS, until the test is over. @returns its address */
async function tlsServer(
  certificate: { cert: string; key: string },
  answer: (reply: ServerResponse) => void,
): Promise<string> {
  const server = createServer(certificate, (_request, reply) => answer(reply)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const second = 1000

describe('what a check has found out', () => {
  it('is how long its parts took, also after a restart, as the mean of those that were good', async () => {
    const path = join(temporaryFolder(), 'history.db')
    const first = await serviceFixture({ history: openHistory(path) })
    const id = first.add({ check: pingCheck.schema.parse({ kind: 'ping' }) })
    const { clock, services } = first
    const at = clock.now - (clock.now % (30 * second))
    const add = (delay: number, phases: object) => services.samples.add(id, 1, at, { outcome: 'up', delay, phases })
    add(30, { connect: 10, tls: 4 })
    add(50, { connect: 20, tls: 8 })
    services.samples.add(id, 1, at, { outcome: 'down', problem: 'x', phases: { connect: 9000 } })
    services.samples.add(id, 2, at, { outcome: 'down', problem: 'x', phases: { connect: 9000 } })
    await services.recorder.save()
    first.history.close()
    const next = await serviceFixture({ store: first.store, history: openHistory(path), clock })
    const { servers } = await next.services.histories.ofService(id, '1d', clock.now + second)
    expect(servers.map(({ points }) => points)).toEqual([
      [{ ts: at, delay: null, status: 0 }],
      [{ ts: at, delay: 40, status: 1, phases: { connect: 15, tls: 6 } }],
    ])
    next.history.close()
  })

  it('is summed up with age, and has no parts where a service has no check', async () => {
    const { add, services, clock } = await serviceFixture()
    const [checked, plain] = [add(), add()]
    const begin = clock.now - 3 * 86_400_000
    for (let at = begin; at < clock.now; at += 300 * second) {
      services.samples.add(checked, 1, at, { outcome: 'up', delay: 7, phases: { first_byte: 5 } })
      services.samples.add(plain, 1, at, { outcome: 'up', delay: 7 })
    }
    await services.recorder.save()
    await services.recorder.thin()
    const pointsOf = async (id: number) =>
      (await services.histories.ofService(id, '7d', clock.now)).servers.flatMap(({ points }) => points)
    expect(new Set((await pointsOf(checked)).map(({ phases }) => phases?.first_byte))).toEqual(new Set([5]))
    expect((await pointsOf(plain)).some(({ phases }) => phases)).toBe(false)
  })

  it('is the certificates of each host that redirects lead to, that of one that only redirects watched', async () => {
    const page = await tlsServer(renewedCertificate, (reply) => reply.end('page'))
    const old = await tlsServer(selfSigned, (reply) => reply.writeHead(302, { location: page }).end())
    const { services, add, pass } = await serviceFixture()
    const check = httpCheck.schema.parse({ kind: 'http', verify_tls: false })
    const id = add({ type: 1, target: old, check })
    await pass(35)
    const [early, late] = ['2120-01-01T00:00:00Z', '2125-06-16T14:35:25Z'].map(Date.parse)
    expect(services.checker.chainOf(id)).toEqual([
      { host: new URL(old).host, subject: 'localhost', issuer: 'localhost', expiresAt: early },
      { host: new URL(page).host, subject: 'renewed', issuer: 'renewed', expiresAt: late },
    ])
    expect(services.checker.certificateEndOf(id)).toBe(early)
  })

  it('is the certificate of a host that redirects to one that is down', async () => {
    const old = await tlsServer(selfSigned, (reply) => reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())
    const { services, add, pass } = await serviceFixture()
    const check = httpCheck.schema.parse({ kind: 'http', verify_tls: false })
    const id = add({ type: 1, target: old, check })
    await pass(35)
    expect(services.checker.statusOf(id)).toBe('down')
    expect(services.checker.chainOf(id)).toMatchObject([{ host: new URL(old).host }])
    expect(services.checker.certificateEndOf(id)).toBe(Date.parse('2120-01-01T00:00:00Z'))
  })

  it('is no certificate whose end cannot be read, and the list of services stays readable', async () => {
    const target = await tlsServer(undatedCertificate, (reply) => reply.end('page'))
    const { services, add, pass, table, clock } = await serviceFixture()
    const id = add({ type: 1, target, check: httpCheck.schema.parse({ kind: 'http', verify_tls: false }) })
    await pass(35)
    expect(services.checker.chainOf(id)).toEqual([])
    const overviewOf = await services.overview.read(clock.now)
    expect(table.all().map((row) => overviewOf(row, true))).toMatchObject([{ state: 'up' }])
    const { attempt } = await checkFixture()
    expect(await attempt({ type: 1, target, check: { kind: 'http' } })).toMatchObject({
      state: 'down',
      reason: 'certificate_untrusted',
    })
  })

  it('is the beginning of names that are too long', async () => {
    const target = await tlsServer(longNamedCertificate, (reply) => reply.end('page'))
    const { attempt } = await checkFixture()
    const { certificate } = await attempt({ type: 1, target, check: { kind: 'http', verify_tls: false } })
    expect(certificate?.issuer).toBe(`${'x'.repeat(64)}, ${'x'.repeat(64)}, ${'x'.repeat(64)}, xx`)
  })

  it('has no certificates of an earlier target', async () => {
    const { services, add, pass, table } = await serviceFixture()
    const target = await tlsServer(selfSigned, (reply) => reply.end())
    const check = httpCheck.schema.parse({ kind: 'http', verify_tls: false })
    const id = add({ type: 1, target, check })
    await pass(35)
    expect(services.checker.chainOf(id)).toHaveLength(1)
    table.update(id, { target: 'http://127.0.0.1:1/' })
    await pass(1)
    expect(services.checker.chainOf(id)).toEqual([])
  })

  it('is for those who own the service', async () => {
    const { browser, server } = await checkFixture()
    const body = { name: 'job', type: 3, target: 'job', duration: 30, check: { kind: 'push' } }
    const made = await browser.call('POST', 'service', { body })
    const { data: id } = made.body as { data: number }
    const list = (await browser.get(`service/list?id=${id}`)).body as { data: { id: number; push_path: string }[] }
    const path = list.data.find((row) => row.id === id)?.push_path ?? ''
    await server.browser().call('GET', `${path}/fail?msg=disk+full`)
    const { body: own } = await browser.get(`wheelhouse/service/${id}/details`)
    expect(own).toMatchObject({ data: { chain: [], calls: [{ event: 'fail', message: 'disk full' }] } })
    const guest = await server.browser().get(`wheelhouse/service/${id}/details`)
    expect(JSON.stringify(guest.body)).not.toContain('disk full')
  })
})
