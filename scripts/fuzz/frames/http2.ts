import {
  clientStart,
  flags,
  frame,
  frameTypes,
  headerBlock,
  messageFrame,
} from '../../../tests/support/agent/http2Frames.ts'
import type { Random } from '../../seed/random.ts'
import { chance, several, someBytes } from './frameCase.ts'

export interface Http2Options {
  /** Names by which the server is called, right and wrong. */
  hosts: readonly [string, ...string[]]
  /** Of an agent: a good one. */
  secret: string
}

/** So few machines send all messages: each new one would be a row. */
const uuids = ['ffffffff-0000-4000-8000-000000000001', 'ffffffff-0000-4000-8000-000000000002'] as const
const calls = [
  'ReportSystemState',
  'ReportSystemInfo',
  'ReportTask',
  'RequestTask',
  'IOStream',
  'ReportGeoIP',
  'None',
] as const

const windowUpdate = 8
const priority = 2
const pushPromise = 5
const continuation = 9

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** Sometimes one without an authority, or with a host beside it. */
function requestHeaders(random: Random, { hosts }: Http2Options): Record<string, string> {
  const paths = [
    '/',
    '/api/v1/setting',
    '/api/v1/profile',
    '/feed.atom',
    '/dashboard/',
    '/api/v1/ws/server',
    '/%zz',
    '*',
  ]
  const headers: Record<string, string> = {
    ':method': random.oneOf(['GET', 'GET', 'POST', 'HEAD', 'CONNECT', 'PATCH', 'x']),
    ':scheme': random.oneOf(['http', 'http', 'https', 'ftp']),
    ':path': paths[random.whole(paths.length)] ?? '/',
    ':authority': random.oneOf(hosts),
  }
  if (chance(random, 25)) headers.host = random.oneOf(hosts)
  if (chance(random, 6)) headers[':protocol'] = 'websocket'
  if (chance(random, 10)) headers['content-length'] = random.oneOf(['0', '5', '-1', '999999'])
  if (chance(random, 10)) headers['content-type'] = random.oneOf(['application/json', 'application/grpc', 'x'])
  if (chance(random, 5)) headers['transfer-encoding'] = 'chunked'
  if (chance(random, 5)) headers.connection = 'upgrade'
  if (chance(random, 5)) headers.te = random.oneOf(['trailers', 'x'])
  if (chance(random, 5)) headers['X-Upper'] = '1'
  if (chance(random, 5)) headers.cookie = 'nz-jwt=x'
  if (chance(random, 6)) delete headers[random.oneOf([':method', ':scheme', ':path', ':authority'])]
  return headers
}

const agentHeaders = (random: Random, { hosts, secret }: Http2Options): Record<string, string> => ({
  ':method': chance(random, 95) ? 'POST' : 'GET',
  ':scheme': 'http',
  ':path': `/proto.NezhaService/${random.oneOf(calls)}`,
  ':authority': chance(random, 90) ? hosts[0] : random.oneOf(hosts),
  ...(chance(random, 10) && { host: random.oneOf(hosts) }),
  'content-type': chance(random, 95) ? 'application/grpc' : random.oneOf(['application/grpc+json', 'text/plain']),
  te: 'trailers',
  ...(chance(random, 5) && { 'grpc-encoding': 'gzip' }),
  ...(chance(random, 5) && { 'grpc-timeout': random.oneOf(['1n', '0S', 'x', '99999999H']) }),
  'client-secret': chance(random, 85) ? secret : 'wrong',
  'client-uuid': random.oneOf(uuids),
})

const headersFrame = (random: Random, stream: number, headers: Record<string, string>) => {
  const end = chance(random, 50) ? flags.endStream : 0
  const flag = (chance(random, 92) ? flags.endHeaders : 0) | end | (chance(random, 4) ? random.whole(256) : 0)
  return frame(frameTypes.headers, flag, stream, headerBlock(headers))
}

const resetCodes = [0, 8, 1, 2, 5, 7, 11, 0xffffffff] as const
const reset = (random: Random, stream: number) =>
  frame(frameTypes.reset, 0, stream, chance(random, 95) ? uint32(random.oneOf(resetCodes)) : someBytes(random, 9))

/** A message of gRPC: its mark, its length or its content may lie. */
function message(random: Random, stream: number): Buffer {
  const content = someBytes(random, 200)
  const end = chance(random, 25) ? flags.endStream : 0
  if (chance(random, 30)) return messageFrame(stream, content, end)
  const head = Buffer.alloc(5)
  head[0] = random.oneOf([0, 0, 1, 255])
  head.writeUInt32BE(random.oneOf([content.length, 0, content.length + 1, 0xffffffff, 16 * 1024 * 1024, 65_537]), 1)
  const parts = [head, content, ...(chance(random, 20) ? [someBytes(random, 30)] : [])]
  return frame(frameTypes.data, end, stream, Buffer.concat(parts).subarray(0, chance(random, 15) ? 3 : undefined))
}

/** Frames of the streams that `open` opens, in any order, and of others that were never there. */
function frames(random: Random, open: (stream: number) => Buffer): Buffer[] {
  let next = 1
  const anyStream = () =>
    chance(random, 85) ? Math.max(1, next - 2 * (1 + random.whole(3))) : random.oneOf([0, 2, next, 0x7fffffff])
  const openNext = () => {
    const opened = open(next)
    next += 2
    return opened
  }
  const settings = () =>
    chance(random, 70)
      ? Buffer.concat(
          several(random, 4, () =>
            Buffer.concat([
              Buffer.from([0, random.whole(10)]),
              uint32(random.oneOf([0, 1, 100, 65_535, 0x7fffffff, 0xffffffff])),
            ]),
          ),
        )
      : someBytes(random, 20)
  const makers: readonly [() => Buffer, ...(() => Buffer)[]] = [
    ...([openNext, openNext, openNext] as const),
    () => reset(random, anyStream()),
    () => reset(random, anyStream()),
    () => message(random, anyStream()),
    () => message(random, anyStream()),
    () => frame(frameTypes.data, random.oneOf([0, 1, 8, 9, random.whole(256)]), anyStream(), someBytes(random, 300)),
    () => headersFrame(random, anyStream(), { 'x-trailer': '1' }),
    () => frame(frameTypes.settings, random.oneOf([0, 0, 1]), random.oneOf([0, 0, 1]), settings()),
    () =>
      frame(
        windowUpdate,
        0,
        chance(random, 50) ? 0 : anyStream(),
        chance(random, 90) ? uint32(random.oneOf([1, 0, 65_535, 0x7fffffff])) : someBytes(random, 8),
      ),
    () =>
      frame(
        priority,
        0,
        anyStream(),
        chance(random, 80) ? Buffer.concat([uint32(anyStream()), Buffer.from([16])]) : someBytes(random, 8),
      ),
    () =>
      frame(
        frameTypes.ping,
        random.oneOf([0, 0, 1]),
        random.oneOf([0, 0, 1]),
        chance(random, 90) ? Buffer.alloc(8) : someBytes(random, 12),
      ),
    () => frame(continuation, random.oneOf([0, 4]), anyStream(), headerBlock({ 'x-more': '1' })),
    () =>
      frame(
        frameTypes.goAway,
        0,
        random.oneOf([0, 0, 1]),
        Buffer.concat([uint32(anyStream()), uint32(random.oneOf(resetCodes))]),
      ),
    () => frame(pushPromise, 4, anyStream(), Buffer.concat([uint32(2), headerBlock({ ':path': '/' })])),
    () => frame(random.whole(14), random.whole(256), anyStream(), someBytes(random, 80)),
  ]
  return [openNext(), ...several(random, 14, () => random.oneOf(makers)())]
}

/** The start of a client with a window of nothing: whatever is answered stays on the server. */
const closedWindow = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  frame(frameTypes.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0])),
])

const start = (random: Random) =>
  chance(random, 94)
    ? chance(random, 85)
      ? clientStart
      : closedWindow
    : clientStart.subarray(0, random.whole(clientStart.length))

/** Frames of HTTP/2 in any order, with any flags, on streams that are open, closed or were never there. */
export const http2Bytes = (random: Random, options: Http2Options) => ({
  kind: 'HTTP/2: frames',
  parts: [start(random), ...frames(random, (stream) => headersFrame(random, stream, requestHeaders(random, options)))],
})

/** Calls of agents with messages that are not what they say. */
export const grpcBytes = (random: Random, options: Http2Options) => ({
  kind: 'gRPC: calls',
  parts: [
    start(random),
    ...frames(random, (stream) => {
      const flag = flags.endHeaders | (chance(random, 15) ? flags.endStream : 0)
      return frame(frameTypes.headers, flag, stream, headerBlock(agentHeaders(random, options)))
    }),
  ],
})
