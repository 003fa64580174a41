import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import type { z } from 'zod'
import { hasText, searchFor } from '../../../../server/services/checks/parts/textSearch.ts'
import { runCheck } from '../../../../server/services/checks/runCheck.ts'
import { validateCheck } from '../../../../server/services/serviceRow.ts'
import { type Check, check, type MachineCheck } from '../../../../src/schemas/checks/checks.ts'
import { startRawServer } from '../../../support/fakes/rawServer.ts'
import { receiver } from '../../../support/fakes/receiver.ts'
import { expectLessProcessorTime } from '../../../support/processorTime.ts'
import { createTestHost } from '../../../support/server/testHost.ts'

const host = createTestHost()
const parsed = <Kind extends Check['kind']>(fields: Extract<z.input<typeof check>, { kind: Kind }>) =>
  check.parse(fields) as Extract<Check, { kind: Kind }>
const run = (target: string, one: MachineCheck) => runCheck(one, target, host, { timeoutMs: 4000, allowPrivate: true })

describe('a header that cannot be sent', () => {
  it.each(['\u0100', 'a\x01', 'a\nb', '\x7f'])('is refused: %j', (value) => {
    const headers = { 'x-name': value }
    expect(() => validateCheck({ kind: 'websocket', headers }, 'ws://shop.example/')).toThrow(
      /^check\.headers\.x-name: .*characters that HTTP headers cannot have/,
    )
  })

  it('is another one than a header in Latin-1', () => {
    expect(parsed({ kind: 'http', headers: { 'x-name': '\tcaf\xe9 ~' } }).headers).toEqual({ 'x-name': '\tcaf\xe9 ~' })
  })
})

describe('a connection that a check cannot use is closed', () => {
  it('when a header of a WebSocket cannot be sent', async () => {
    const { port, open } = await startRawServer(() => {})
    const websocket = { ...parsed({ kind: 'websocket' }), headers: { 'x-name': '\u0100' } }
    expect(await run(`ws://127.0.0.1:${port}/`, websocket)).toMatchObject({ reason: { key: 'bad_header' } })
    await vi.waitFor(() => expect(open.size).toBe(0))
  })

  it('when a certificate cannot be read', async () => {
    const { port, open } = await startRawServer(() => {})
    const rubbish = '-----BEGIN CERTIFICATE-----\nrubbish\n-----END CERTIFICATE-----'
    const http = parsed({ kind: 'http', auth: { kind: 'certificate', cert: rubbish, key: rubbish } })
    expect(await run(`https://127.0.0.1:${port}/`, http)).toMatchObject({ state: 'down' })
    await vi.waitFor(() => expect(open.size).toBe(0))
  })
})

/** A server for WebSockets that sends these messages to everybody. */
async function saying(messages: readonly string[]): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  onTestFinished(() => {
    for (const client of server.clients) client.terminate()
    server.close()
  })
  server.on('connection', (socket) => {
    for (const message of messages) socket.send(message)
  })
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('a WebSocket', () => {
  it('is asked for without the fragment of its address', async () => {
    expect(await run(`${await saying([])}#part`, parsed({ kind: 'websocket' }))).toMatchObject({ state: 'up' })
  })

  it('is up when what is expected stands far behind in a message', async () => {
    const target = await saying([`${'a'.repeat(10_000)}needle`])
    expect(await run(target, parsed({ kind: 'websocket', expect: 'needle' }))).toMatchObject({ state: 'up' })
  })

  it('is searched for a while, and not for ever', async () => {
    const target = await saying(Array.from({ length: 18 }, () => 'a'.repeat(1024 * 1024)))
    await expectLessProcessorTime(3500, async () => {
      const result = await run(target, parsed({ kind: 'websocket', expect: 'needle' }))
      expect(result).toMatchObject({ state: 'down', reason: { key: expect.stringMatching(/^rule_expect/) } })
    })
  })
})

describe('a reply of lines without an end', () => {
  const lines = (line: string) => async () => {
    const { port } = await startRawServer((socket) => {
      socket.write('* OK ready\r\n'.repeat(line.startsWith('*') ? 1 : 0))
      socket.end(line.repeat(Math.floor((256 * 1024) / line.length)))
    })
    return `127.0.0.1:${port}`
  }

  it.each([
    ['SMTP', lines('250-\n'), parsed({ kind: 'smtp' })],
    ['IMAP', lines('* \n'), parsed({ kind: 'imap' })],
    ['IMAP before TLS', lines('* \n'), parsed({ kind: 'tls', starttls: 'imap' })],
  ])('of %s ends the check', async (_protocol, listen, one) => {
    expect(await run(await listen(), one)).toMatchObject({ state: 'down', reason: { key: 'too_much' } })
  })
})

describe('a text that repeats itself', () => {
  const text = 'a'.repeat(1024 * 1024)
  const wanted = `${'a'.repeat(2048)}b${'a'.repeat(2047)}`
  // Milliseconds of the processor: it takes some, and `includes` more than a second.
  const soon = 700

  it('is searched in no time', async () => {
    await expectLessProcessorTime(soon, () => expect(hasText(text, wanted)).toBe(false))
  })

  it('is no burden as the answer of a page', async () => {
    const { origin } = await receiver((reply) => reply.end(JSON.stringify(text)))
    const http = parsed({
      kind: 'http',
      contains: wanted,
      absent: wanted,
      json: [{ path: '$', op: 'contains', value: wanted.slice(1500, 2500) }],
    })
    await expectLessProcessorTime(soon, async () => {
      const result = await run(origin, http)
      expect(result?.rules.map(({ rule, ok }) => [rule, ok])).toEqual([
        ['codes', true],
        ['contains', false],
        ['absent', true],
        ['json', false],
      ])
    })
  })

  it('is no burden as the answer of a port, also in many parts', async () => {
    const { port } = await startRawServer(async (socket) => {
      for (let part = 0; part < 60; part++) {
        socket.write(text.slice(0, 4096))
        await new Promise(setImmediate)
      }
      socket.end()
    })
    await expectLessProcessorTime(soon, async () => {
      const result = await run(`127.0.0.1:${port}`, parsed({ kind: 'tcp', expect: wanted }))
      expect(result).toMatchObject({ state: 'down', reason: { key: 'rule_expect_nothing' } })
    })
  })

  it('is searched as by `includes`, whole and in parts', () => {
    const texts = Array.from({ length: 2 ** 9 }, (_, index) => index.toString(2).slice(1))
    for (const one of ['', '0', '1', '00', '010', '0010', '1101', '01011']) {
      for (const other of texts) {
        expect(hasText(other, one)).toBe(other.includes(one))
        const search = searchFor(one)
        const found = ['', ...other].map((part) => search(part))
        expect(found.at(-1)).toBe(other.includes(one))
      }
    }
  })
})
