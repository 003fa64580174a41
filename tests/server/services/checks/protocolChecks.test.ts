import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Answer } from 'dns-packet'
import { SMTPServer } from 'smtp-server'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { startNameServer } from '../../../support/fakes/nameServer.ts'
import { startRawServer } from '../../../support/fakes/rawServer.ts'
import { startRedis } from '../../../support/fakes/redisServer.ts'
import { selfSigned } from '../../../support/server/certificates/selfSigned.ts'
import { checkFixture } from '../../../support/server/fixtures/checkFixture.ts'

let fixture: Awaited<ReturnType<typeof checkFixture>>
beforeAll(async () => {
  fixture = await checkFixture()
})

const attempt = (target: string, check: object) => fixture.attempt({ type: 3, target, check })
const at = (port: number) => `127.0.0.1:${port}`

describe('a port', () => {
  it('is up when it takes connections, and down when it does not', async () => {
    const { port } = await startRawServer(() => {})
    expect(await attempt(at(port), { kind: 'tcp' })).toMatchObject({
      state: 'up',
      phases: { connect: expect.any(Number) },
    })
    expect(await attempt(at(1), { kind: 'tcp' })).toMatchObject({ state: 'down', reason: 'refused' })
  })

  it('gets text and bytes, and answers with what is expected', async () => {
    const { port } = await startRawServer((socket) => {
      socket.on('data', (bytes) => socket.write(Buffer.concat([Buffer.from('got:'), bytes, Buffer.from([0, 255])])))
    })
    expect(await attempt(at(port), { kind: 'tcp', send: 'ping\\r\\n\\x01', expect: '\\x01\\x00' })).toMatchObject({
      state: 'up',
      answer: 'got:ping\r\n\\x01\\x00\\xff',
      rules: [{ rule: 'expect', ok: true }],
    })
    // The time is over before it comes.
    const tried = await attempt(at(port), { kind: 'tcp', send: 'ping', expect: 'pong' })
    expect(tried).toMatchObject({
      state: 'down',
      reason: 'rule_expect_nothing',
      answer: expect.stringContaining('got:ping'),
    })
  })

  it('is refused with an unknown escape', async () => {
    expect((await attempt(at(1), { kind: 'tcp', send: '\\q' })).error).toMatch(/^check\.send: /)
  })
})

describe('a name', () => {
  const records: Record<string, Answer[]> = {
    A: [
      { type: 'A', name: 'a.example', data: '192.0.2.1' },
      { type: 'A', name: 'a.example', data: '192.0.2.2' },
    ],
    AAAA: [{ type: 'AAAA', name: 'a.example', data: '2001:db8::1' }],
    CNAME: [{ type: 'CNAME', name: 'a.example', data: 'b.example' }],
    MX: [{ type: 'MX', name: 'a.example', data: { preference: 10, exchange: 'mail.example' } }],
    NS: [{ type: 'NS', name: 'a.example', data: 'ns.example' }],
    TXT: [{ type: 'TXT', name: 'a.example', data: 'v=spf1 -all' }],
    SRV: [{ type: 'SRV', name: 'a.example', data: { priority: 1, weight: 2, port: 443, target: 'web.example' } }],
    CAA: [{ type: 'CAA', name: 'a.example', data: { flags: 0, tag: 'issue', value: 'ca.example' } }],
    SOA: [
      {
        type: 'SOA',
        name: 'a.example',
        data: { mname: 'ns.example', rname: 'admin.example', serial: 7, refresh: 1, retry: 2, expire: 3, minimum: 4 },
      },
    ],
    PTR: [{ type: 'PTR', name: '1.2.0.192.in-addr.arpa', data: 'a.example' }],
  }

  it.each([
    ['A', 'a.example', ['192.0.2.2', '192.0.2.1']],
    ['AAAA', 'a.example', ['2001:db8::1']],
    ['CNAME', 'a.example', ['B.example.']],
    ['MX', 'a.example', ['10 mail.example']],
    ['MX', 'a.example', ['mail.example']],
    ['NS', 'a.example', ['ns.example']],
    ['TXT', 'a.example', ['v=spf1 -all']],
    ['SRV', 'a.example', ['1 2 443 web.example']],
    ['CAA', 'a.example', ['0 issue "ca.example"']],
    ['SOA', 'a.example', ['ns.example admin.example 7 1 2 3 4']],
    ['PTR', '192.0.2.1', ['a.example']],
  ])('has its %s records', async (record, target, expected) => {
    const resolver = await startNameServer((type, name) =>
      type === 'PTR' ? (records.PTR ?? []).filter((one) => one.name === name) : (records[type] ?? []),
    )
    const tried = await attempt(target, { kind: 'dns', record, resolver, expected })
    expect(tried).toMatchObject({ state: 'up', reason: '' })
    expect(tried.rules).toHaveLength(expected.length)
  })

  it('is down without a value that is expected, unless any will do', async () => {
    const resolver = await startNameServer((type) => records[type] ?? [])
    const expected = ['192.0.2.1', '192.0.2.9']
    expect(await attempt('a.example', { kind: 'dns', resolver, expected })).toMatchObject({
      state: 'down',
      reason: 'rule_expected',
      reason_values: { expected: '192.0.2.9', found: '192.0.2.1, 192.0.2.2' },
    })
    expect(await attempt('a.example', { kind: 'dns', resolver, expected, match: 'any' })).toMatchObject({ state: 'up' })
  })

  it('is down when it does not exist, or has no such record', async () => {
    const resolver = await startNameServer((type) => (type === 'A' ? (records.A ?? []) : []))
    expect(await attempt('missing.example', { kind: 'dns', resolver })).toMatchObject({
      state: 'down',
      reason: 'dns_code',
      reason_values: { said: 'NXDOMAIN' },
    })
    expect(await attempt('a.example', { kind: 'dns', resolver, record: 'MX' })).toMatchObject({
      state: 'down',
      reason: 'dns_nothing',
    })
  })

  it('is asked for over TCP when an answer does not fit a datagram', async () => {
    const resolver = await startNameServer((type) => records[type] ?? [], { isCut: true })
    expect(await attempt('a.example', { kind: 'dns', resolver, expected: ['192.0.2.1'] })).toMatchObject({
      state: 'up',
    })
  })
})

describe('a mail server', () => {
  it('that takes mail greets, and says what it can', async () => {
    const server = new SMTPServer({ ...selfSigned, authOptional: true })
    const listener = server.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    onTestFinished(() => void server.close())
    const target = at((listener.address() as AddressInfo).port)
    expect(await attempt(target, { kind: 'smtp', capabilities: 'STARTTLS' })).toMatchObject({ state: 'up', code: 250 })
    expect(await attempt(target, { kind: 'smtp', capabilities: 'CHUNKING' })).toMatchObject({
      state: 'down',
      reason: 'rule_capabilities',
    })
  })

  it('that is busy is down', async () => {
    const { port } = await startRawServer((socket) => socket.write('421 too many connections\r\n'))
    expect(await attempt(at(port), { kind: 'smtp' })).toMatchObject({
      state: 'down',
      reason: 'greeting',
      reason_values: { said: '421 too many connections' },
    })
  })

  it('for reading says what it can', async () => {
    const { port } = await startRawServer((socket) => {
      socket.write('* OK ready\r\n')
      socket.on('data', (bytes) => {
        if (/^a1 CAPABILITY/.test(String(bytes))) socket.write('* CAPABILITY IMAP4rev1 IDLE\r\na1 OK done\r\n')
      })
    })
    expect(await attempt(at(port), { kind: 'imap', capabilities: 'IDLE' })).toMatchObject({ state: 'up' })
    expect(await attempt(at(port), { kind: 'imap', capabilities: 'IDLE MOVE' })).toMatchObject({
      state: 'down',
      reason_values: { expected: 'MOVE' },
    })
  })
})

describe('an SSH server', () => {
  it('greets with its version, after lines of its own', async () => {
    const { port } = await startRawServer((socket) => socket.write('welcome\r\nSSH-2.0-OpenSSH_9.9\r\n'))
    expect(await attempt(at(port), { kind: 'ssh', expect: 'OpenSSH' })).toMatchObject({ state: 'up' })
    expect(await attempt(at(port), { kind: 'ssh', expect: 'dropbear' })).toMatchObject({
      state: 'down',
      reason: 'rule_expect',
    })
  })

  it('is down when something else answers', async () => {
    const { port } = await startRawServer((socket) => socket.end('220 mail\r\n'))
    expect(await attempt(at(port), { kind: 'ssh' })).toMatchObject({ state: 'down', reason: 'closed' })
  })
})

describe('a Redis server', () => {
  it('is up when it answers as such, also when it asks for a password', async () => {
    const target = await startRedis()
    expect(await attempt(target, { kind: 'redis' })).toMatchObject({
      state: 'up',
      answer: expect.stringMatching(/^NOAUTH/),
    })
    expect(await attempt(target, { kind: 'redis', password: 'secret-of-tests' })).toMatchObject({
      state: 'up',
      answer: 'PONG',
    })
  })

  it('is down with a wrong password, which the answer does not show', async () => {
    const target = await startRedis()
    const tried = await attempt(target, { kind: 'redis', password: 'wrong-of-tests' })
    expect(tried).toMatchObject({
      state: 'down',
      reason: 'refused_by_server',
      reason_values: { said: 'WRONGPASS invalid password' },
    })
  })

  it('has a value, or is down without', async () => {
    const target = await startRedis()
    const check = { kind: 'redis', password: 'secret-of-tests' }
    expect(await attempt(target, { ...check, query: 'GET known' })).toMatchObject({ state: 'up', answer: 'value' })
    expect(await attempt(target, { ...check, query: 'GET other' })).toMatchObject({
      state: 'down',
      reason: 'rule_query_nothing',
    })
    expect(await attempt(target, { ...check, query: 'TIME' })).toMatchObject({ state: 'up', answer: '["1","a"]' })
  })

  it('is down when something else answers', async () => {
    const { port } = await startRawServer((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(await attempt(at(port), { kind: 'redis' })).toMatchObject({ state: 'down', reason: 'no_redis' })
  })
})

describe('a WebSocket', () => {
  async function socketServer(): Promise<string> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    server.on('connection', (socket, { headers }) =>
      socket.on('message', (data) => socket.send(`${headers['x-token']} ${data}`)),
    )
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  it('opens, and answers a message', async () => {
    const target = await socketServer()
    expect(await attempt(target, { kind: 'websocket' })).toMatchObject({ state: 'up', code: 101 })
    const check = { kind: 'websocket', headers: { 'X-Token': 'token-of-tests' }, send: 'hello there', expect: 'there' }
    expect(await attempt(target, check)).toMatchObject({ state: 'up', answer: '… …' })
  })

  it('is down when the server speaks something else', async () => {
    const { port } = await startRawServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 404 Not Found\r\n\r\n')),
    )
    expect(await attempt(`ws://127.0.0.1:${port}/`, { kind: 'websocket' })).toMatchObject({
      state: 'down',
      reason: 'no_websocket',
      code: 404,
    })
  })
})
