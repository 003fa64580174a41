import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { SMTPServer } from 'smtp-server'
import { onTestFinished, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import type { MachineCheck } from '../../../src/schemas/checks/checks.ts'
import { startBroker } from '../broker/startBroker.ts'
import { startHealth } from '../fakes/healthServer.ts'
import { startMongodb } from '../fakes/mongodbServer.ts'
import { startMysql } from '../fakes/mysqlServer.ts'
import { startNameServer } from '../fakes/nameServer.ts'
import { startRawServer } from '../fakes/rawServer.ts'
import { receiver } from '../fakes/receiver.ts'
import { startRedis } from '../fakes/redisServer.ts'
import { ask, startPostgres } from '../postgres/startPostgres.ts'
import { selfSigned } from '../server/certificates/selfSigned.ts'

/** A check that is up. */
interface GoodCheck {
  target: string
  check: object
}

/** The kinds that need nothing of a machine but a connection. */
export type StreamKind = Exclude<MachineCheck['kind'], 'ping'>

const at = (port: number) => `127.0.0.1:${port}`
/** Nobody trusts the certificates of the tests. */
const secure = { tls: true, verify_tls: false }

/** TLS in front of a port, until the test is over. */
async function secured(port: number): Promise<number> {
  const server = createTlsServer(selfSigned, (socket) => {
    const plain = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [socket, plain],
      [plain, socket],
    ] as const) {
      one.on('error', () => {}).once('close', () => other.destroy())
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** A good check without TLS, and one with it. */
async function both(port: number, check: object): Promise<GoodCheck[]> {
  return [
    { target: at(port), check },
    { target: at(await secured(port)), check: { ...check, ...secure } },
  ]
}

/** A server that says and answers lines. */
async function talker(greeting: string, answers: readonly (readonly [RegExp, string])[] = []): Promise<number> {
  const { port } = await startRawServer((socket) => {
    socket.write(greeting)
    socket.on('data', (bytes) => {
      for (const [pattern, answer] of answers) if (pattern.test(String(bytes))) socket.write(answer)
    })
  })
  return port
}

/** A real PostgreSQL, which takes TLS, too. */
async function postgres(): Promise<GoodCheck[]> {
  const url = await startPostgres()
  const [{ data_directory = '' } = {}] = await ask({ url }, 'SHOW data_directory')
  for (const [file, text] of [
    ['server.key', selfSigned.key],
    ['server.crt', selfSigned.cert],
  ] as const) {
    const lines = text.split('\n').map((line) => `('${line}')`)
    const command = `umask 077 && cat > ${data_directory}/${file}`
    await ask({ url }, `COPY (SELECT * FROM (VALUES ${lines.join(', ')}) AS lines) TO PROGRAM '${command}'`)
  }
  await ask({ url }, 'ALTER SYSTEM SET ssl = on')
  await ask({ url }, 'SELECT pg_reload_conf()')
  await vi.waitFor(() => ask({ url: `${url}?sslmode=no-verify` }, 'SELECT 1'))
  const check = { kind: 'postgres', user: 'wheelhouse', database: 'postgres', query: 'SELECT 7' }
  return [check, { ...check, ...secure }].map((one) => ({ target: new URL(url).host, check: one }))
}

/** Starts a server of each kind, until the test is over, and says which checks of it are up, without and with TLS. */
export const streamKinds: Readonly<Record<StreamKind, () => Promise<GoodCheck[]>>> = {
  postgres,
  async http() {
    const answer = (reply: { end(text: string): void }) => reply.end('inside')
    const [plain, tls] = [await receiver(answer), await receiver(answer, { isTls: true })]
    const check = { kind: 'http', contains: 'inside', verify_tls: false }
    return [plain, tls].map(({ origin }) => ({ target: origin, check }))
  },
  async tls() {
    const port = await secured(await talker('hello'))
    return [{ target: at(port), check: { kind: 'tls', verify_tls: false, days_left: 1 } }]
  },
  tcp: async () => both(await talker('', [[/ping/, 'pong']]), { kind: 'tcp', send: 'ping', expect: 'pong' }),
  async dns() {
    const resolver = await startNameServer(() => [{ type: 'A', name: 'a.example', data: '192.0.2.1' }])
    return [{ target: 'a.example', check: { kind: 'dns', resolver, expected: ['192.0.2.1'] } }]
  },
  async smtp() {
    const server = new SMTPServer({ ...selfSigned, authOptional: true })
    const listener = server.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    onTestFinished(() => void server.close())
    const { port } = listener.address() as AddressInfo
    const checks = await both(port, { kind: 'smtp', capabilities: 'STARTTLS' })
    return [...checks, { target: at(port), check: { kind: 'tls', starttls: 'smtp', verify_tls: false } }]
  },
  imap: async () =>
    both(await talker('* OK ready\r\n', [[/^a1 /, '* CAPABILITY IMAP4rev1 IDLE\r\na1 OK done\r\n']]), {
      kind: 'imap',
      capabilities: 'IDLE',
    }),
  pop3: async () =>
    both(await talker('+OK ready\r\n', [[/^CAPA/, '+OK list\r\nSTLS\r\n.\r\n']]), {
      kind: 'pop3',
      capabilities: 'STLS',
    }),
  ssh: async () => [{ target: at(await talker('SSH-2.0-OpenSSH_9.9\r\n')), check: { kind: 'ssh', expect: 'OpenSSH' } }],
  async mysql() {
    const check = { kind: 'mysql', user: 'watch', password: 'mysql-secret', database: 'shop', query: 'SELECT one' }
    const [plain, tls] = [await startMysql(), await startMysql()]
    return [
      { target: plain, check },
      { target: tls, check: { ...check, ...secure } },
    ]
  },
  async redis() {
    const port = Number((await startRedis()).split(':')[1])
    return both(port, { kind: 'redis', password: 'secret-of-tests', query: 'GET known' })
  },
  mongodb: async () =>
    both((await startMongodb()).port, {
      kind: 'mongodb',
      user: 'watch,=',
      password: 'mongodb-secret',
      query: '{"find": "jobs"}',
    }),
  async grpc() {
    const plain = { target: at(await startHealth({ '': 'SERVING' })), check: { kind: 'grpc' } }
    const port = await startHealth({ '': 'SERVING' }, { isTls: true })
    return [plain, { target: at(port), check: { kind: 'grpc', ...secure } }]
  },
  async websocket() {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    server.on('connection', (socket) => socket.on('message', (data) => socket.send(`got ${data}`)))
    const { port } = server.address() as AddressInfo
    const check = { kind: 'websocket', send: 'hello', expect: 'got hello', verify_tls: false }
    return [
      { target: `ws://${at(port)}/`, check },
      { target: `wss://${at(await secured(port))}/`, check },
    ]
  },
  mqtt: async () =>
    both(await startBroker(), { kind: 'mqtt', user: 'watch', password: 'broker-secret', topic: '#', expect: '61' }),
}
