import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import { SMTPServer } from 'smtp-server'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startRawServer } from '../../../support/fakes/rawServer.ts'
import { selfSigned } from '../../../support/server/certificates/selfSigned.ts'
import { checkFixture } from '../../../support/server/fixtures/checkFixture.ts'

let fixture: Awaited<ReturnType<typeof checkFixture>>
beforeAll(async () => {
  fixture = await checkFixture()
})

const tls = (port: number, fields: object = {}) =>
  fixture.attempt({ type: 3, target: `127.0.0.1:${port}`, check: { kind: 'tls', ca: selfSigned.cert, ...fields } })

async function tlsServer(): Promise<number> {
  const server = createTlsServer(selfSigned, (socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const certificate = { issuer: 'localhost', expires_at: '2120-01-01T00:00:00Z' }

describe('the certificate of a port', () => {
  it('is valid for enough days and for the right name', async () => {
    const tried = await tls(await tlsServer(), { days_left: 30, name: 'localhost' })
    expect(tried).toMatchObject({ state: 'up', certificate, phases: { tls: expect.any(Number) } })
    expect(tried.rules.map(({ rule, ok }) => [rule, ok])).toEqual([
      ['days_left', true],
      ['name', true],
    ])
    expect(tried.answer).toMatch(/^TLSv1\.3 TLS_\S+\nlocalhost <- localhost, /)
  })

  it('is down when it is for another name, also where nothing else is judged', async () => {
    const port = await tlsServer()
    expect(await tls(port, { name: 'other.example' })).toMatchObject({
      state: 'down',
      reason: 'certificate_name',
      certificate,
    })
    expect(await tls(port, { name: 'other.example', verify_tls: false })).toMatchObject({
      state: 'down',
      reason: 'rule_name',
    })
  })

  it('is down when nobody trusts it', async () => {
    const port = await tlsServer()
    expect(await tls(port, { ca: '' })).toMatchObject({ state: 'down', reason: 'certificate_self_signed', certificate })
    expect(await tls(port, { ca: '', verify_tls: false })).toMatchObject({ state: 'up', certificate })
  })

  it('is down when there is no TLS', async () => {
    const { port } = await startRawServer((socket) => socket.write('220 hello\r\n'))
    expect(await tls(port)).toMatchObject({ state: 'down', reason: 'no_tls' })
  })
})

/** A server that says these words to what it is told, and then speaks TLS. */
async function startTlsAfter(
  greeting: string,
  answers: readonly (readonly [RegExp, string | Buffer])[],
): Promise<number> {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {}).write(greeting)
    let step = 0
    socket.on('data', function onData(bytes) {
      const [pattern, answer] = answers[step++] ?? []
      if (!pattern?.test(bytes.toString('latin1'))) return socket.destroy()
      if (step < answers.length) return socket.write(answer ?? '')
      socket.off('data', onData)
      socket.write(answer ?? '', () => new TLSSocket(socket, { isServer: true, ...selfSigned }).on('error', () => {}))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

describe('TLS begins after words in plain text', () => {
  it('of a real mail server', async () => {
    const server = new SMTPServer({ ...selfSigned, authOptional: true })
    const listener = server.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    onTestFinished(() => void server.close())
    const { port } = listener.address() as AddressInfo
    expect(await tls(port, { starttls: 'smtp' })).toMatchObject({ state: 'up', certificate })
  })

  it.each([
    ['imap', '* OK [CAPABILITY IMAP4] ready\r\n', [[/^a1 STARTTLS\r\n$/, '* 1 EXISTS\r\na1 OK begin\r\n']]],
    ['pop3', '+OK ready\r\n', [[/^STLS\r\n$/, '+OK begin\r\n']]],
    ['ftp', '220-welcome\r\n220 ready\r\n', [[/^AUTH TLS\r\n$/, '234 begin\r\n']]],
    ['postgres', '', [[/^.{8}$/s, 'S']]],
    ['ldap', '', [[/1\.3\.6\.1\.4\.1\.1466\.20037$/, Buffer.from('300c02010178070a010004000400', 'hex')]]],
  ] as const)('of %s', async (starttls, greeting, answers) => {
    const port = await startTlsAfter(greeting, answers)
    expect(await tls(port, { starttls })).toMatchObject({ state: 'up', certificate })
  })

  it('is down when the server does not offer it', async () => {
    const { port } = await startRawServer((socket) => {
      socket.write('220 mail\r\n')
      socket.on('data', () => socket.write('502 no\r\n'))
    })
    expect(await tls(port, { starttls: 'smtp' })).toMatchObject({
      state: 'down',
      reason: 'no_starttls',
      reason_values: { said: '502 no' },
    })
  })
})
