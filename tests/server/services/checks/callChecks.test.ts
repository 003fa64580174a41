import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSeveralPings } from '../../../../server/machines/hosts/local/probe.ts'
import { runCheck } from '../../../../server/services/checks/runCheck.ts'
import type { MachineCheck } from '../../../../src/schemas/checks/checks.ts'
import { pingCheck } from '../../../../src/schemas/checks/protocols.ts'
import { startBroker } from '../../../support/broker/startBroker.ts'
import { startHealth } from '../../../support/fakes/healthServer.ts'
import { startRawServer } from '../../../support/fakes/rawServer.ts'
import { checkFixture } from '../../../support/server/fixtures/checkFixture.ts'
import { temporaryFolder } from '../../../support/server/temporaryFolder.ts'
import { createTestHost } from '../../../support/server/testHost.ts'

let fixture: Awaited<ReturnType<typeof checkFixture>>
beforeAll(async () => {
  fixture = await checkFixture()
})

const attempt = (target: string, check: object) => fixture.attempt({ type: 3, target, check })
const at = (port: number) => `127.0.0.1:${port}`

describe('a gRPC server', () => {
  it('says whether a service serves', async () => {
    const target = at(await startHealth({ '': 'SERVING', 'shop.v1.Orders': 'NOT_SERVING' }))
    expect(await attempt(target, { kind: 'grpc' })).toMatchObject({ state: 'up', code: 0, answer: 'SERVING' })
    expect(await attempt(target, { kind: 'grpc', service: 'shop.v1.Orders' })).toMatchObject({
      state: 'down',
      reason: 'rule_service',
      reason_values: { found: 'NOT_SERVING' },
    })
    expect(await attempt(target, { kind: 'grpc', service: 'x'.repeat(200) })).toMatchObject({
      state: 'down',
      reason: 'grpc_code',
      reason_values: { said: '5 unknown service' },
      code: 5,
    })
  })

  it('is called through TLS, with metadata that is not shown', async () => {
    const token = 'Bearer token-of-tests'
    const target = at(await startHealth({ '': 'SERVING' }, { isTls: true, token }))
    const check = { kind: 'grpc', tls: true, verify_tls: false }
    expect(await attempt(target, { ...check, headers: { Authorization: token } })).toMatchObject({
      state: 'up',
      certificate: { issuer: 'localhost' },
    })
    expect(await attempt(target, check)).toMatchObject({
      state: 'down',
      reason: 'grpc_code',
      reason_values: { said: '16 who is thät?' },
    })
    expect(await attempt(target, { ...check, verify_tls: true })).toMatchObject({ reason: 'certificate_self_signed' })
  })

  it('is down when something else answers', async () => {
    const { port } = await startRawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(await attempt(at(port), { kind: 'grpc' })).toMatchObject({ state: 'down', reason: 'no_http2' })
  })
})

describe('an MQTT broker', () => {
  it('lets in, and has a message', async () => {
    const target = at(await startBroker())
    const check = { kind: 'mqtt', user: 'watch', password: 'broker-secret' }
    expect(await attempt(target, check)).toMatchObject({ state: 'up', code: 0 })
    expect(await attempt(target, { ...check, topic: 'state/+', expect: '=61' })).toMatchObject({
      state: 'up',
      answer: 'temperature=61',
    })
    expect(await attempt(target, { ...check, topic: 'state/+', expect: '=62', wait: 1 })).toMatchObject({
      state: 'down',
      reason: 'rule_expect_nothing',
      answer: 'temperature=61',
    })
    expect(await attempt(target, { ...check, topic: 'nothing', wait: 1 })).toMatchObject({
      state: 'down',
      reason: 'rule_topic_nothing',
    })
    expect(await attempt(target, { ...check, password: 'wrong-of-tests' })).toMatchObject({
      state: 'down',
      reason: 'refused_by_server',
      reason_values: { said: 'not authorized' },
    })
    // It answers as what it is.
    expect(await attempt(target, { kind: 'mqtt' })).toMatchObject({ state: 'up', code: 5 })
  })

  it('is down when something else answers', async () => {
    const { port } = await startRawServer((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(await attempt(at(port), { kind: 'mqtt' })).toMatchObject({ state: 'down', reason: 'other_protocol' })
  })
})

describe('a POP3 server', () => {
  it('greets, and says what it can', async () => {
    const { port } = await startRawServer((socket) => {
      socket.write('+OK ready\r\n')
      socket.on('data', (bytes) => {
        if (/^CAPA/.test(String(bytes))) socket.write('+OK list\r\nSTLS\r\nSASL PLAIN\r\n.\r\n')
      })
    })
    expect(await attempt(at(port), { kind: 'pop3', capabilities: 'STLS' })).toMatchObject({ state: 'up' })
    expect(await attempt(at(port), { kind: 'pop3', capabilities: 'UTF8' })).toMatchObject({
      state: 'down',
      reason: 'rule_capabilities',
    })
  })
})

/** A machine on which `ping` says this. */
function pingingHost(lines: readonly string[], code = 0) {
  const folder = temporaryFolder()
  const ping = join(folder, 'ping')
  writeFileSync(ping, `#!/bin/sh\ncat <<'END'\n${lines.join('\n')}\nEND\nexit ${code}\n`)
  chmodSync(ping, 0o755)
  return { ...createTestHost(), ping: createSeveralPings({ ping }) }
}

describe('pings', () => {
  const run = (host: ReturnType<typeof pingingHost>, fields: object = {}) =>
    runCheck(pingCheck.schema.parse({ kind: 'ping', packets: 4, ...fields }) as MachineCheck, '127.0.0.1', host, {
      timeoutMs: 4000,
      allowPrivate: true,
    })
  const answers = [10, 12, 11].map((ms, index) => `64 bytes from 127.0.0.1: icmp_seq=${index + 1} ttl=64 time=${ms} ms`)
  const summary = [
    '',
    '4 packets transmitted, 3 received, 25% packet loss, time 612ms',
    'rtt min/avg/max/mdev = 1/2/3/1 ms',
  ]

  it('are counted, and their time is the latency', async () => {
    const host = pingingHost([...answers, ...summary])
    expect(await run(host, { max_loss: 25 })).toMatchObject({ state: 'up', phases: { whole: 11 } })
    expect(await run(host)).toMatchObject({
      state: 'down',
      reason: { key: 'rule_max_loss', values: { found: '25', expected: '0' } },
    })
    expect(await run(host, { max_loss: 25, max_jitter: 1 })).toMatchObject({
      state: 'down',
      reason: { key: 'rule_max_jitter', values: { found: '1.5', expected: '1' } },
    })
  })

  it('are down when none comes back, and not permitted where none may be sent', async () => {
    expect(await run(pingingHost(summary, 1), { max_loss: 99 })).toMatchObject({
      state: 'down',
      reason: { key: 'rule_max_loss', values: { found: '100' } },
    })
    const forbidden = pingingHost(['ping: socket: Operation not permitted'], 2)
    expect(await run(forbidden)).toMatchObject({ state: 'not_permitted', reason: { key: 'no_ping' } })
    const without = createTestHost()
    expect(
      await run({ ...without, ping: createSeveralPings({ ping: join(temporaryFolder(), 'none') }) }),
    ).toMatchObject({
      state: 'not_permitted',
    })
  })

  it('of a member go to no private address', async () => {
    const host = pingingHost(answers)
    const check = pingCheck.schema.parse({ kind: 'ping' }) as MachineCheck
    const result = await runCheck(check, '127.0.0.1', host, { timeoutMs: 4000, allowPrivate: false })
    expect(result).toMatchObject({ state: 'not_permitted', reason: { key: 'target_not_allowed' } })
  })
})
