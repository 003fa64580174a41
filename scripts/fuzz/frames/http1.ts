import type { Random } from '../../seed/random.ts'
import { anyOf, chance, several, someBytes } from './frameCase.ts'

/** Names by which the server is called, the right one first. */
type Hosts = readonly [string, ...string[]]

/** The first ones are paths as they are. */
const fairPaths = 15
const paths = [
  '/',
  '/feed.atom',
  '/dashboard',
  '/dashboard/',
  '/dashboard/assets/none.js',
  '/metrics',
  '/api/v1/openapi.json',
  '/api/v1/profile',
  '/api/v1/server',
  '/api/v1/setting',
  '/api/v1/oauth2/X?type=1',
  '/api/v1/login',
  '/mcp',
  '/api/v1/ws/server',
  '/badge/service/1.svg',
  '/proto.NezhaService/RequestTask',
  '/%zz',
  '//',
  '*',
  '',
  '/../../x',
  'http://127.0.0.1/api/v1/setting',
  'http://nat.example/',
  '/\x00',
  `/${'a'.repeat(3000)}`,
  '/api/v1/server/1/metrics',
] as const

const lengths = [
  '0',
  '2',
  '5',
  '1000000000',
  '-1',
  '+5',
  '0x5',
  '5, 5',
  '5, 6',
  '',
  '99999999999999999999',
  ' 5 ',
] as const
const encodings = [
  'chunked',
  'Chunked',
  'gzip, chunked',
  'chunked, chunked',
  'identity',
  '\tchunked',
  'chunked;q=1',
  '',
] as const

const value = (random: Random) => random.oneOf(['', 'x', 'a, b', 'x'.repeat(random.whole(9000)), '"', '%0d%0a', '\xe4'])

/** A header line that a server has to bear. */
const fairLine = (random: Random) =>
  anyOf<string>(random, [
    () => `Connection: ${random.oneOf(['close', 'keep-alive', 'Upgrade', 'te, x-a', 'Upgrade, HTTP2-Settings', ','])}`,
    () =>
      `Sec-WebSocket-Extensions: ${random.oneOf(['permessage-deflate', 'permessage-deflate; client_max_window_bits=99', ';'])}`,
    () => `Content-Type: ${random.oneOf(['application/json', 'application/grpc', 'text/plain; charset=x', '/', ''])}`,
    () => `Cookie: nz-jwt=${value(random)}; ${value(random)}`,
    () => `Authorization: Bearer ${value(random)}`,
    () => `TE: trailers`,
    () => `Accept-Encoding: ${random.oneOf(['gzip', 'zstd', 'br;q=0', 'x, gzip;q='])}`,
    () => `Range: bytes=${random.oneOf(['0-1', '5-', '-5', '9-1', '0-1,3-4', 'x'])}`,
    () => `If-None-Match: ${value(random)}`,
    () => `X-Forwarded-For: ${random.oneOf(['1.2.3.4', '::', 'x'])}`,
    () => `Origin: ${random.oneOf(['null', 'http://evil.example', ''])}`,
  ])

/** One that proxies and servers have read differently, or that is wrong. */
const foulLine = (random: Random, hosts: Hosts) =>
  anyOf<string>(random, [
    () => `Host: ${random.oneOf(hosts)}`,
    () => `Content-Length: ${random.oneOf(lengths)}`,
    () => `Transfer-Encoding: ${random.oneOf(encodings)}`,
    () => `Transfer-Encoding : chunked`,
    () => `Upgrade: ${random.oneOf(['websocket', 'h2c', 'websocket, h2c', 'TLS/1.0', ''])}`,
    () => `HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA`,
    () => `Expect: ${random.oneOf(['100-continue', '100-Continue, x', 'x'])}`,
    () => `Sec-WebSocket-Key: ${random.oneOf(['dGhlIHNhbXBsZSBub25jZQ==', 'x', ''])}`,
    () => `Sec-WebSocket-Version: ${random.oneOf(['13', '8', 'x'])}`,
    () => `Trailer: x-a`,
    () => `x-${random.whole(9)}: ${value(random)}`,
    () => ` folded: ${value(random)}`,
    () => `: ${value(random)}`,
    () => `__proto__: ${value(random)}`,
    () => `no colon`,
    () => `x-foul: ${random.oneOf(['\x01', '\xff\xfe', 'x'.repeat(20_000)])}`,
  ])

function body(random: Random): string {
  const chunk = (text: string, length = text.length.toString(16)) => `${length}\r\n${text}\r\n`
  return anyOf<string>(random, [
    () => '',
    () => '{}',
    () => 'x'.repeat(random.whole(100_000)),
    () => `${chunk('{}')}0\r\n\r\n`,
    () => `${chunk('{}')}0\r\nx-a: 1\r\n\r\n`,
    () => `${chunk('{}', random.oneOf(['ffffffffffffffff', '-1', '0x2', '2;ext=1', '2 ', '1', 'zz']))}0\r\n\r\n`,
    () => 'GET / HTTP/1.1\r\nHost: smuggled\r\n\r\n',
  ])
}

/** Half of them are right as far as HTTP is concerned. */
const oneRequest = (random: Random, hosts: Hosts): string =>
  chance(random, 50) ? fair(random, hosts) : foul(random, hosts)

function fair(random: Random, hosts: Hosts): string {
  const method = random.oneOf(['GET', 'GET', 'GET', 'POST', 'HEAD', 'PATCH', 'OPTIONS', 'DELETE'])
  const sent = method === 'GET' || method === 'HEAD' ? '' : 'x'.repeat(random.whole(chance(random, 95) ? 300 : 100_000))
  const path = paths[random.whole(fairPaths)] ?? '/'
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${hosts[random.whole(4)] ?? hosts[0]}`]
  lines.push(...Array.from({ length: random.whole(4) }, () => fairLine(random)))
  if (sent) lines.push(`Content-Length: ${sent.length}`)
  return `${lines.join('\r\n')}\r\n\r\n${sent}`
}

function foul(random: Random, hosts: Hosts): string {
  const end = chance(random, 92) ? '\r\n' : random.oneOf(['\n', '\r', '\r\n\r\n'] as const)
  const method = chance(random, 85)
    ? random.oneOf(['GET', 'POST', 'HEAD', 'PATCH', 'OPTIONS', 'DELETE', 'PUT'] as const)
    : random.oneOf(['TRACE', 'CONNECT', 'PRI', 'get', 'G\x00T', 'QUERY', '', 'M-SEARCH', 'SOURCE'] as const)
  const version = chance(random, 92)
    ? 'HTTP/1.1'
    : random.oneOf(['HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', ''] as const)
  const lines = [
    `${method} ${random.oneOf(paths)} ${version}`,
    ...(chance(random, 90) ? [`Host: ${random.oneOf(hosts)}`] : []),
    ...Array.from({ length: random.whole(chance(random, 3) ? 3000 : 5) }, () =>
      chance(random, 60) ? fairLine(random) : foulLine(random, hosts),
    ),
  ]
  return `${lines.join(end)}${end}${end}${chance(random, 50) ? body(random) : ''}`
}

/** Requests as HTTP/1 has them, one or many at once, right, nearly right or wrong. */
export function http1Bytes(random: Random, hosts: Hosts): { kind: string; parts: Buffer[] } {
  if (chance(random, 4)) return { kind: 'HTTP/1: bytes without meaning', parts: [someBytes(random, 300)] }
  const many = chance(random, 30)
  if (many && chance(random, 20)) {
    const request = Buffer.from(oneRequest(random, hosts), 'latin1').subarray(0, 2000)
    return { kind: 'HTTP/1: one request many times', parts: Array.from({ length: 200 }, () => request) }
  }
  const parts = several(random, many ? 20 : 1, () => Buffer.from(oneRequest(random, hosts), 'latin1'))
  return { kind: many ? 'HTTP/1: requests at once' : 'HTTP/1: a request', parts }
}
