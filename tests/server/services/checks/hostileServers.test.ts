import { createHash } from 'node:crypto'
import { createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { z } from 'zod'
import { lenientReplies } from '../../../../server/outbound/lenientReplies.ts'
import { judgeJson } from '../../../../server/services/checks/http/runHttp.ts'
import { encodeBson } from '../../../../server/services/checks/mongodb/bson.ts'
import { converse } from '../../../../server/services/checks/parts/connection.ts'
import { redactSecrets } from '../../../../server/services/checks/parts/redact.ts'
import { runCheck } from '../../../../server/services/checks/runCheck.ts'
import { type Check, check, type MachineCheck } from '../../../../src/schemas/checks/checks.ts'
import { startRawServer } from '../../../support/fakes/rawServer.ts'
import { expectLessProcessorTime } from '../../../support/processorTime.ts'
import { createTestHost } from '../../../support/server/testHost.ts'

const host = createTestHost()

/** A connection that answers the first bytes of the other side, and each that follow, with the next of these. */
const answering =
  (...answers: readonly (Buffer | ((socket: Socket) => void))[]) =>
  (socket: Socket) => {
    const left = [...answers]
    socket.on('data', () => {
      const next = left.shift()
      if (Buffer.isBuffer(next)) socket.write(next)
      else next?.(socket)
    })
  }

/** Sends the same again and again, as long as somebody reads. */
const endless = (bytes: Buffer) => (socket: Socket) => {
  const block = Buffer.concat(Array.from({ length: Math.ceil(65_536 / bytes.length) }, () => bytes))
  const send = () => {
    if (!socket.destroyed && socket.write(block)) setImmediate(send)
  }
  socket.on('drain', send)
  send()
}

function postgres(type: string, body: Buffer, length = body.length + 4): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(length, 1)
  return Buffer.concat([head, body])
}
const sasl = (step: number, text: string) =>
  postgres('R', Buffer.concat([Buffer.from([0, 0, 0, step]), Buffer.from(text)]))

const mysqlGreeting = Buffer.concat([
  Buffer.from([0, 0, 0, 0]),
  Buffer.from('\x0a9.1.0\0\x07\0\0\0abcdefgh'),
  Buffer.from([0, 0xff, 0xff, 45, 2, 0, 0xff, 0xdf, 21]),
  Buffer.alloc(10),
  Buffer.from('0123456789xy\0mysql_native_password\0'),
])
mysqlGreeting.writeUIntLE(mysqlGreeting.length - 4, 0, 3)
const greets = (answer: (socket: Socket) => void) => (socket: Socket) => {
  socket.write(mysqlGreeting)
  answer(socket)
}
const mysqlPacket = (sequence: number, body: Buffer, length = body.length) =>
  Buffer.concat([Buffer.from([length & 255, (length >> 8) & 255, length >> 16, sequence]), body])
const letIn = mysqlPacket(2, Buffer.from([0, 0, 0, 2, 0, 0, 0]))

function mongodb(document: Buffer, length = 21 + document.length): Buffer {
  const head = Buffer.alloc(21)
  head.writeInt32LE(length, 0)
  head.writeInt32LE(2013, 12)
  return Buffer.concat([head, document])
}
const nested = (depth: number): Buffer => {
  let document = encodeBson({})
  for (let level = 0; level < depth; level++) {
    const length = Buffer.alloc(4)
    length.writeInt32LE(document.length + 8)
    document = Buffer.concat([length, Buffer.from('\x03a\0'), document, Buffer.from([0])])
  }
  return document
}
const connack = Buffer.from([0x20, 2, 0, 0])
const message = Buffer.concat([Buffer.from([0x30, 0x83, 0x08]), Buffer.from('\0\x01a'), Buffer.alloc(1024, 'a')])

/** The answer to the request of a WebSocket. */
function upgraded(request: Buffer): Buffer {
  const key = /sec-websocket-key: (\S+)/i.exec(request.toString('latin1'))?.[1] ?? ''
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  return Buffer.from(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
}

const user = { user: 'watch', password: 'of tests' }
const sql = { ...user, query: 'SELECT 1' }

type Given = z.input<typeof check>
const cases: [string, Given, (socket: Socket) => void, string][] = [
  [
    'notices without an end',
    { kind: 'postgres', ...user },
    endless(postgres('N', Buffer.from('Mhello\0\0'))),
    'too_much',
  ],
  [
    'a message of 2 GiB',
    { kind: 'postgres', ...user },
    answering(postgres('N', Buffer.alloc(0), 0x7fffffff)),
    'too_much',
  ],
  [
    'a nonce that is not ours',
    { kind: 'postgres', ...user },
    answering(sasl(10, 'SCRAM-SHA-256\0\0'), (socket) => socket.write(sasl(11, 'r=x,s=c2FsdA==,i=2000000000'))),
    'sign_in_unknown',
  ],
  ['a letter for TLS that is none', { kind: 'postgres' }, answering(Buffer.from('HTTP/1.1 400')), 'other_protocol'],
  [
    'a packet of 16 MiB',
    { kind: 'mysql' },
    (socket) => socket.write(mysqlPacket(0, Buffer.alloc(0), 0xffffff)),
    'too_much',
  ],
  [
    'one way to sign in after the other',
    { kind: 'mysql', ...user },
    greets((socket) => {
      let sequence = 0
      socket.on('data', () => {
        sequence += 2
        socket.write(mysqlPacket(sequence, Buffer.from(`\xfemysql_native_password\0${'x'.repeat(20)}\0`, 'latin1')))
      })
    }),
    'sign_in_unknown',
  ],
  [
    'a key that is none',
    { kind: 'mysql', ...user },
    greets(
      answering(mysqlPacket(2, Buffer.from([1, 4])), mysqlPacket(4, Buffer.from('\x01-----BEGIN PUBLIC KEY-----'))),
    ),
    'sign_in_unknown',
  ],
  [
    'columns without an end',
    { kind: 'mysql', ...sql },
    greets(answering(letIn, mysqlPacket(1, Buffer.concat([Buffer.from([0xfe]), Buffer.alloc(8, 0x7f)])))),
    'too_much',
  ],
  [
    'a value that is longer than its row',
    { kind: 'mysql', ...sql },
    greets(
      answering(
        letIn,
        Buffer.concat([
          mysqlPacket(1, Buffer.from([1])),
          mysqlPacket(2, Buffer.from([0])),
          mysqlPacket(3, Buffer.from([0xfe, 0, 0, 2, 0])),
          mysqlPacket(4, Buffer.from([0xfd, 255, 255, 255, 1])),
        ]),
      ),
    ),
    'other_protocol',
  ],
  ['a reply of 2 GiB', { kind: 'mongodb' }, answering(mongodb(Buffer.alloc(0), 0x7fffffff)), 'too_much'],
  ['a document in a document in …', { kind: 'mongodb' }, answering(mongodb(nested(5000))), 'too_much'],
  [
    'a document with thousands of values',
    { kind: 'mongodb' },
    answering(mongodb(encodeBson({ a: Array(9000).fill(1) }))),
    'too_much',
  ],
  [
    'a document that is cut off',
    { kind: 'mongodb' },
    answering(mongodb(Buffer.from('\xff\0\0\0\x02a\0', 'latin1'))),
    'other_protocol',
  ],
  [
    'a packet of 256 MiB',
    { kind: 'mqtt', topic: '#' },
    answering(connack, Buffer.from([0x30, 255, 255, 255, 127])),
    'too_much',
  ],
  ['a length without an end', { kind: 'mqtt', topic: '#' }, answering(connack, Buffer.alloc(6, 255)), 'other_protocol'],
  [
    'messages without an end',
    { kind: 'mqtt', topic: '#', expect: 'b', wait: 8 },
    answering(connack, endless(message)),
    'rule_expect_nothing',
  ],
  [
    'lines of hundreds of kilobytes, full of words',
    { kind: 'pop3', capabilities: 'A B C' },
    (socket) => {
      socket.write('+OK ready\r\n+OK list\r\n')
      endless(Buffer.from(`${'X '.repeat(120_000)}\r\n`))(socket)
    },
    'too_much',
  ],
  [
    'a list of long values',
    { kind: 'redis', query: 'LRANGE a 0 -1' },
    (socket) => {
      socket.write('*1000\r\n')
      endless(Buffer.from(`+${'x'.repeat(250_000)}\r\n`))(socket)
    },
    'too_much',
  ],
  [
    'a list of values that are announced',
    { kind: 'redis', query: 'LRANGE a 0 -1' },
    (socket) => {
      socket.write('*1000\r\n')
      endless(Buffer.from(`$65536\r\n${'x'.repeat(65_536)}\r\n`))(socket)
    },
    'too_much',
  ],
  [
    'lines without an end',
    { kind: 'pop3' },
    (socket) => {
      socket.write('+OK ready\r\n+OK list\r\n')
      endless(Buffer.from('X\r\n'))(socket)
    },
    'too_much',
  ],
]

describe('a hostile server costs little when it sends', () => {
  it.each(cases)('%s', async (_name, given, onConnection, key) => {
    const { port } = await startRawServer(onConnection)
    // With what the server of the test takes.
    await expectLessProcessorTime(1500, async () => {
      const result = await runCheck(check.parse(given) as MachineCheck, `127.0.0.1:${port}`, host, {
        timeoutMs: 9000,
        allowPrivate: true,
      })
      expect(result).toMatchObject({ state: 'down', reason: { key } })
      expect((result?.answer ?? '').length).toBeLessThanOrEqual(4096)
    })
  })

  it.each([
    ['empty messages', Buffer.from([0x81, 0])],
    ['pings', Buffer.from([0x89, 0])],
    ['a message in endless parts', Buffer.from([0, 0])],
  ])('a WebSocket with %s without an end', async (_name, frame) => {
    const { port } = await startRawServer((socket) =>
      socket.once('data', (request: Buffer) => {
        socket.write(upgraded(request))
        if (frame[0] === 0) socket.write(Buffer.from([0x01, 0]))
        endless(frame)(socket)
      }),
    )
    const websocket = check.parse({ kind: 'websocket', expect: 'needle' }) as MachineCheck
    await expectLessProcessorTime(1500, async () => {
      const result = await runCheck(websocket, `ws://127.0.0.1:${port}/`, host, { timeoutMs: 9000, allowPrivate: true })
      expect(result).toMatchObject({ state: 'down' })
    })
  })

  it('an answer in which nine thousand words of a body are looked for: it is not shown at all', async () => {
    const words = Array.from({ length: 9000 }, (_, number) => `${100_000 + number}`)
    const body = words.join(' ').slice(0, 65_536)
    const http = check.parse({ kind: 'http', method: 'POST', body })
    await expectLessProcessorTime(500, () => {
      for (let count = 0; count < 50; count++) expect(redactSecrets(http)('abc def '.repeat(1024))).toBe('…')
    })
    const few = check.parse({ kind: 'http', method: 'POST', body: words.slice(0, 900).join(' ') })
    expect(redactSecrets(few)('not 100899 and 100900')).toBe('not … and 100900')
  })

  it.each([
    ['lists of half a million', 'contains', '$.*', '9'],
    ['lists in lists', '==', '$.*.*', '1'],
  ] as const)('%s, in which twenty rules look for something', async (_name, op, path, last) => {
    const list = `[${Array.from({ length: 520 }, () => '1').join(',')}]`
    const body = `[${Array.from({ length: 999 }, () => list).join(',')},[${last}]]`
    const twenty = Array.from({ length: 20 }, () => ({ path, op, value: 9 }))
    await expectLessProcessorTime(300, () =>
      expect(judgeJson(twenty, body).map(({ ok }) => ok)).toEqual(Array(20).fill(false)),
    )
    expect(judgeJson([{ path: '$[0]', op: 'contains', value: 1 }], body)).toMatchObject([{ ok: true }])
  })

  it('bytes that come one by one', async () => {
    await expectLessProcessorTime(1500, async () => {
      const stream = new PassThrough()
      const talk = converse(stream, new AbortController().signal)
      const reply = talk.bytes(200_000)
      const line = reply.then(() => talk.line())
      for (let count = 0; count < 400_000; count++) {
        stream.emit('data', Buffer.from(count === 399_999 ? '\n' : 'a'))
        // As with records of TLS, each wakes whoever waits.
        await Promise.resolve()
        await Promise.resolve()
      }
      expect((await reply).length).toBe(200_000)
      expect((await line).length).toBe(199_999)
    })
  })

  it('the head of a page whose bytes come one by one', async () => {
    await expectLessProcessorTime(1500, async () => {
      const stream = new PassThrough()
      const replies = lenientReplies(stream)
      stream.emit('data', Buffer.from('HTTP/1.1 200 OK\r\nx-name: '))
      for (let count = 0; count < 60_000; count++) stream.emit('data', Buffer.from('a'))
      stream.emit('data', Buffer.from('\n\nbody'))
      const read = String(replies.read())
      expect(read.length).toBe('HTTP/1.1 200 OK\r\nx-name: \r\n\r\nbody'.length + 60_000)
    })
  })

  it('an HTTP/2 body without an end', async () => {
    const server = createHttp2Server()
    server.on('stream', (stream) => {
      stream.on('error', () => {})
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
      const send = () => {
        if (!stream.destroyed && stream.write(Buffer.alloc(65_536))) setImmediate(send)
      }
      stream.on('drain', send)
      send()
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const grpc = check.parse({ kind: 'grpc' }) as Extract<Check, { kind: 'grpc' }>
    await expectLessProcessorTime(1500, async () => {
      const result = await runCheck(grpc, `127.0.0.1:${port}`, host, { timeoutMs: 9000, allowPrivate: true })
      expect(result).toMatchObject({ state: 'down', reason: { key: 'too_much' } })
    })
  })
})

describe('a sign-in by SCRAM', () => {
  it('is not made with more rounds than are usual', async () => {
    const { port } = await startRawServer((socket) => {
      let step = 0
      socket.on('data', (bytes) => {
        if (step++ === 0) return socket.write(sasl(10, 'SCRAM-SHA-256\0\0'))
        const [nonce = ''] = /r=[^,]+/.exec(String(bytes)) ?? []
        socket.write(sasl(11, `${nonce}server,s=c2FsdA==,i=2000000000`))
      })
    })
    const postgres = check.parse({ kind: 'postgres', ...user }) as MachineCheck
    await expectLessProcessorTime(1000, async () => {
      const result = await runCheck(postgres, `127.0.0.1:${port}`, host, { timeoutMs: 9000, allowPrivate: true })
      expect(result).toMatchObject({ reason: { key: 'sign_in_costly', values: { said: 2_000_000_000 } } })
    })
  })
})
