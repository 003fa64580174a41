import type { Random } from '../../seed/random.ts'
import { anyOf, chance, delivered, type FrameCase, type Sent, several, someBytes } from './frameCase.ts'
import { webSocketFrame } from './webSocket.ts'

function statusLine(random: Random): string {
  if (chance(random, 6))
    return random.oneOf(['HTTP/1.1', 'HTTP/2 200 OK', 'ICY 200 OK', 'HTTP/1.1 2x0 OK', ' HTTP/1.1 200 OK', ''])
  const status = chance(random, 60)
    ? '200'
    : random.oneOf([
        '101',
        '100',
        '103',
        '204',
        '205',
        '206',
        '301',
        '302',
        '304',
        '401',
        '403',
        '404',
        '500',
        '503',
        '000',
        '099',
        '600',
        '999',
      ])
  return `HTTP/1.${chance(random, 92) ? 1 : 0} ${status} ${random.oneOf(['OK', '', '\x01\x7f', '\xff', 'x'.repeat(5000)])}`
}

function headerLine(random: Random, origin: string): string {
  const value = () =>
    random.oneOf([
      '',
      'x',
      '\x01',
      '\xe4',
      ';;=',
      'a=1; Secure; Domain=x; SameSite=None',
      'x'.repeat(random.whole(9000)),
    ])
  return anyOf<string>(random, [
    () => `Set-Cookie: ${value()}`,
    () => `Set-Cookie: a=${value()}; Path=/`,
    () =>
      `Location: ${random.oneOf(['/', `${origin}/x`, `//${origin.slice(7)}`, 'http://[', 'https://a.example', '//', value()])}`,
    () =>
      `Content-Type: ${random.oneOf(['application/json', 'text/html', 'text/event-stream', 'text/plain', value()])}`,
    () => `Content-Encoding: ${random.oneOf(['gzip', 'zstd', 'x'])}`,
    () => `Connection: ${random.oneOf(['close', 'keep-alive', 'upgrade', 'x-a, set-cookie', 'content-length'])}`,
    () => `Keep-Alive: timeout=${random.oneOf(['1', '0', '-1', 'x', '99999999999'])}`,
    () => `Upgrade: ${random.oneOf(['websocket', 'h2c'])}`,
    () => `Trailer: x-a`,
    () => `Transfer-Encoding: ${random.oneOf(['chunked', 'gzip', 'gzip, chunked', 'x'])}`,
    () => `Content-Length: ${random.oneOf(['0', '2', '5', '2, 2', '-1', '999999999999', ''])}`,
    () => `Vary: ${random.oneOf(['*', 'a', value()])}`,
    () => `Cache-Control: ${random.oneOf(['no-transform', value()])}`,
    () => `Content-Security-Policy: ${value()}`,
    () => `__proto__: ${value()}`,
    () => `constructor: ${value()}`,
    () => ` folded: x`,
    () => 'no colon',
  ])
}

function reply(random: Random, origin: string): Buffer[] {
  if (chance(random, 35)) return fairReply(random, origin)
  const lines = [statusLine(random), ...Array.from({ length: random.whole(5) }, () => headerLine(random, origin))]
  const text = chance(random, 50) ? '{}' : 'x'.repeat(random.whole(chance(random, 95) ? 500 : 300_000))
  const [framing, body] = anyOf<[string, string]>(random, [
    () => [`Content-Length: ${text.length}`, text],
    () => [`Content-Length: ${text.length}`, text],
    () => [`Content-Length: ${text.length + random.oneOf([1, 100, -1])}`, text],
    () => ['Transfer-Encoding: chunked', `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`],
    () => ['Transfer-Encoding: chunked', `${text.length.toString(16)}\r\n${text}\r\n0\r\nx-a: 1\r\n\r\n`],
    () => ['Transfer-Encoding: chunked', `${random.oneOf(['zz', '-1', 'ffffffffffffffffff', '5'])}\r\n${text}`],
    () => ['X-To: end', text],
  ])
  const head = Buffer.from(`${[...lines, framing].join('\r\n')}\r\n\r\n`, 'latin1')
  return [head, Buffer.from(body, 'latin1')]
}

/** One that is right, with what a gateway has to change. */
function fairReply(random: Random, origin: string): Buffer[] {
  const lines = [
    `HTTP/1.1 ${random.oneOf(['200 OK', '200 OK', '302 Found', '404 Not Found', '500 Internal Server Error'])}`,
  ]
  const makers = [
    'Set-Cookie: a=1; Secure; Domain=x',
    'Content-Type: application/json',
    'Trailer: x-a',
    `Location: ${origin}/x`,
    'Vary: a',
    'Connection: close',
  ] as const
  lines.push(...Array.from({ length: random.whole(4) }, () => random.oneOf(makers)))
  const text = 'x'.repeat(random.whole(chance(random, 90) ? 300 : 300_000))
  return [Buffer.from(`${lines.join('\r\n')}\r\nContent-Length: ${text.length}\r\n\r\n${text}`)]
}

const switched = (random: Random) => {
  const cookies = Array.from({ length: random.whole(3) }, () => 'Set-Cookie: a=1\r\n').join('')
  const head = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${cookies}\r\n`
  return [Buffer.from(head), ...several(random, 6, () => webSocketFrame(random, false))]
}

const short = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'

/** What an upstream sends for one request: whole replies, odd ones, broken ones, several, or none. */
export function upstreamReply(random: Random, origin: string): FrameCase {
  if (chance(random, 4)) return delivered(random, 'nothing', [])
  if (chance(random, 4)) return delivered(random, 'bytes without meaning', [someBytes(random, 200)])
  if (chance(random, 15)) return delivered(random, 'a switch of protocols', switched(random))
  const interim = chance(random, 8) ? [Buffer.from('HTTP/1.1 103 Early Hints\r\nSet-Cookie: a=1\r\n\r\n')] : []
  if (chance(random, 8)) return { kind: 'two replies', steps: [Buffer.from(`${short}${short}`)], leave: 'end' }
  // What comes when another visitor could have been given the connection.
  if (chance(random, 8)) {
    const steps = [Buffer.from(short), 1 + random.whole(100), Buffer.from(short), 1 + random.whole(100)]
    return { kind: 'a late reply', steps, leave: 'end' }
  }
  return delivered(random, 'a reply', [...interim, ...reply(random, origin)])
}

/** What a visitor sends to the gateway, so that it asks the upstream. @param number of the case, for the upstream */
export function visitorBytes(random: Random, host: string, number: number): Sent {
  const isSocket = chance(random, 25)
  const request = (at: number) => {
    const method = isSocket ? 'GET' : random.oneOf(['GET', 'GET', 'HEAD', 'POST', 'PATCH'])
    const path = random.oneOf([
      '/api/v1/profile',
      '/api/v1/server',
      '/',
      '/api/v1/oauth2/X',
      '/api/v1/login',
      '/api/v1/ws/server',
    ])
    const text =
      method === 'POST' || method === 'PATCH' ? 'x'.repeat(random.whole(chance(random, 95) ? 200 : 200_000)) : ''
    const upgrade = isSocket
      ? [
          'Connection: Upgrade',
          'Upgrade: websocket',
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
          'Sec-WebSocket-Version: 13',
        ]
      : [`Connection: ${random.oneOf(['close', 'keep-alive'])}`]
    const lines = [`${method} ${path}?n=${number}.${at} HTTP/1.1`, `Host: ${host}`, 'Accept-Encoding: gzip', ...upgrade]
    const sent = text === '' ? '' : `Content-Length: ${text.length}\r\n`
    return Buffer.from(`${lines.join('\r\n')}\r\n${sent}\r\n${text}`)
  }
  const parts = isSocket
    ? several(random, 4, () => webSocketFrame(random))
    : several(random, chance(random, 80) ? 1 : 4, request)
  return isSocket ? { kind: 'upstream: sockets', parts, before: request(0) } : { kind: 'upstream: replies', parts }
}
