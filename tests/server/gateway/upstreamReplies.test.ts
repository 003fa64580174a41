import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { startRawServer } from '../../support/fakes/rawServer.ts'
import { startGateway } from '../../support/server/gatewayServer.ts'

/** A gateway whose upstream sends these bytes for every request, and ends. */
async function behind(reply: string, publicUrl?: URL) {
  const { port } = await startRawServer((socket) => {
    socket.once('data', () => socket.end(reply, 'latin1'))
  })
  return startGateway(new URL(`http://127.0.0.1:${port}`), { settings: { host: '127.0.0.1', publicUrl } })
}

/** Everything that the gateway sends for one request, until it ends the connection. */
async function received(address: string, headers = 'Connection: close'): Promise<string> {
  const { hostname, port, host } = new URL(address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`GET /api/v1/profile HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n\r\n`)
  return text(socket.setEncoding('latin1'))
}

const asSocket = 'Connection: Upgrade\r\nUpgrade: websocket'

/** A reply with the body `{}`. */
const reply = (status: string, ...headers: string[]) =>
  [`HTTP/1.1 ${status}`, ...headers, 'Content-Length: 2', '', '{}'].join('\r\n')
const unread = (status: string) => `HTTP/1.1 ${status}\r\nContent-Length: 2\r\n\r\n`
const chunked = (...rest: string[]) => ['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', ...rest].join('\r\n')

const withCookies = [
  { name: 'no cookie', sent: [], cookies: [] },
  { name: 'exactly one cookie', sent: ['a=1; Path=/'], cookies: ['a=1; Path=/'] },
  { name: 'two cookies', sent: ['a=1', 'b=2; Secure'], cookies: ['a=1', 'b=2'] },
  { name: 'three cookies, one of them empty', sent: ['a=1', '', 'b=2'], cookies: ['a=1', '', 'b=2'] },
  { name: 'a cookie of nothing but separators', sent: [';;=;'], cookies: [';;=;'] },
]

describe('a reply of the upstream with', () => {
  it.each(withCookies)('$name reaches a browser, for a call and for a socket', async ({ sent, cookies }) => {
    const { address } = await behind(reply('200 OK', ...sent.map((cookie) => `Set-Cookie: ${cookie}`)))
    for (const headers of ['Connection: close', asSocket]) {
      const answer = await received(address, headers)
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n\{\}$/s)
      expect([...answer.matchAll(/^set-cookie: (.*)\r$/gim)].map(([, cookie]) => cookie)).toEqual(cookies)
    }
  })

  it.each(withCookies)('$name, where browsers come by TLS: each is sent by TLS only', async ({ sent, cookies }) => {
    const fields = sent.map((cookie) => `Set-Cookie: ${cookie}`)
    const { address } = await behind(reply('200 OK', ...fields), new URL('https://console.example.org'))
    for (const headers of ['Connection: close', asSocket]) {
      const set = [...(await received(address, headers)).matchAll(/^set-cookie: (.*)\r$/gim)].map(
        ([, cookie]) => cookie,
      )
      expect(set).toEqual(cookies.map((cookie) => `${cookie}; Secure`))
    }
  })

  it.each([
    ['two addresses to go to', reply('302 Found', 'Location: /a', 'Location: /b'), /^location: \/a\r$/m],
    ['an address that is none', reply('302 Found', 'Location: http://['), /^location: http:\/\/\[\r$/m],
    [
      'two types',
      reply('200 OK', 'Content-Type: text/plain', 'Content-Type: text/html'),
      /^content-type: text\/plain\r$/m,
    ],
    ['a header that comes again', reply('200 OK', 'Vary: a', 'Vary: b'), /^vary: (a, b|a\r\nvary: b)\r$/m],
    ['bytes above 127', reply('200 OK', 'x-name: \xe4\xff'), /^x-name: \xe4\xff\r$/m],
    ['names of JavaScript', reply('200 OK', '__proto__: a', '__proto__: b', 'constructor: c'), /^constructor: c\r$/m],
    ['trailers announced that cannot come', reply('200 OK', 'Trailer: x-a'), /^content-length: 2\r$/m],
    ['trailers', chunked('Trailer: x-a', '', '2', '{}', '0', 'x-a: 1', '', ''), /\r\n\r\n(2\r\n)?\{\}/],
    ['control characters in its status line', reply('200 \x01\x7f'), /^content-length: 2\r$/m],
    ['a length and no body', unread('304 Not Modified'), /^HTTP\/1\.1 304 Not Modified\r$/m],
    ['a length where no body may be', unread('204 No Content'), /^HTTP\/1\.1 204 No Content\r$/m],
  ])('%s reaches a browser', async (_, bytes, expected) => {
    const { address } = await behind(bytes)
    expect(await received(address)).toMatch(expected)
    expect(await received(address, asSocket)).toMatch(expected)
  })

  it('headers of its own connection keeps them to itself', async () => {
    const own = ['Connection: keep-alive, x-hop', 'X-Hop: 1', 'Keep-Alive: timeout=1', 'Upgrade: h2c', 'Alt-Svc: h2']
    const { address } = await behind(reply('200 OK', ...own))
    for (const headers of ['Connection: close', asSocket]) {
      expect(await received(address, headers)).not.toMatch(
        /^(x-hop|keep-alive|upgrade|alt-svc|connection: (?!close))/im,
      )
    }
  })

  it('headers that are too long is refused with what may be the reason', async () => {
    const { address } = await behind(reply('200 OK', `Set-Cookie: a=${'a'.repeat(20_000)}`))
    for (const headers of ['Connection: close', asSocket]) {
      expect(await received(address, headers)).toMatch(/^HTTP\/1\.1 502 .*sends headers of more than 16 KiB: have it/s)
    }
  })

  it.each([
    ['the status 000', reply('000 Odd')],
    ['the status 101 for a call', reply('101 Switching Protocols')],
    ['the status 600', reply('600 Odd')],
    ['the status 999', reply('999 Odd')],
    ['nothing after an interim one', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['two different lengths', reply('200 OK', 'Content-Length: 3')],
    ['a length beside chunks', reply('200 OK', 'Transfer-Encoding: chunked')],
    ['broken chunks', chunked('', 'zz')],
    ['control characters in a header', reply('200 OK', 'x-a: \x01')],
    ['half a head', 'HTTP/1.1 200 OK\r\nSet-Co'],
    ['no head at all', ''],
    ['bytes of another protocol', '\x16\x03\x01\x00\x02'],
  ])('%s becomes an error in words, and no trace in the log', async (_, bytes) => {
    const { address, logged } = await behind(bytes)
    expect(await received(address)).toMatch(/^HTTP\/1\.1 502 .*\{"error":"The server at .* broke the connection off/s)
    expect(logged).toEqual([expect.stringMatching(/^The server at .* broke the connection off/)])
  })

  it.each([
    ['103 Early Hints', 504, 'did not answer within 0.3 sec'],
    ['100 Continue', 502, 'broke the connection off'],
  ])('nothing but "%s" for ever is ended in time', async (interim, status, words) => {
    const { port } = await startRawServer((socket) => {
      const timer = setInterval(() => socket.write(`HTTP/1.1 ${interim}\r\n\r\n`), 20)
      socket.on('close', () => clearInterval(timer))
      socket.on('error', () => {})
    })
    const { address } = await startGateway(new URL(`http://127.0.0.1:${port}`), { timeoutMs: 300 })
    const answer = await fetch(`${address}/api/v1/profile`)
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(words)])
  })

  it.each([
    ['fewer bytes than it says', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}'],
    ['an end within its chunks', chunked('', '2', '{}', '')],
  ])('%s ends before its time for the browser too', async (_, bytes) => {
    const { address } = await behind(bytes)
    expect(await received(address)).not.toMatch(/\r\n0\r\n\r\n$/)
    expect(await received(address, asSocket)).toMatch(/\{\}$/)
  })
})

describe('what an upstream sends for one visitor', () => {
  const own = (path: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`

  it.each([
    ['a second time', 'GET', 200, (path: string) => own(path)],
    ['beyond its length', 'GET', 200, () => '{"secret":1}'],
    ['with a status that has no body', 'GET', 304, (path: string) => `${path}${own(path)}`],
    ['for the question after its head', 'HEAD', 200, (path: string) => own(path)],
  ])('%s, when the connection could have been used again, reaches nobody else', async (_, method, status, late) => {
    const { port } = await startRawServer((socket) => {
      let first: string | undefined
      socket.on('data', (chunk) => {
        const path = /^\w+ (\S+)/.exec(chunk.toString('latin1'))?.[1] ?? ''
        if (first !== undefined) socket.write(late(first))
        else if (path.endsWith('own')) socket.write(own(path))
        else socket.write(method === 'HEAD' || status === 304 ? `HTTP/1.1 ${status} \r\n\r\n` : own(path))
        first ??= path
      })
    })
    const { address, logged } = await startGateway(new URL(`http://127.0.0.1:${port}`))
    for (let visitor = 0; visitor < 3; visitor++) {
      const other = await fetch(`${address}/api/v1/private${visitor}`, { method })
      await other.text()
      expect(other.status).toBe(status)
      expect(await (await fetch(`${address}/api/v1/own`)).text()).toBe('/api/v1/own')
    }
    expect(logged).toEqual([])
  })
})

describe('a visitor who leaves', () => {
  it('at the moment of the reply harms nobody else', async () => {
    let leave = () => {}
    const { port } = await startRawServer((socket) => {
      socket.once('data', () => {
        leave()
        socket.end(reply('200 OK'))
      })
    })
    const { address, logged } = await startGateway(new URL(`http://127.0.0.1:${port}`))
    const { hostname, port: own, host } = new URL(address)
    for (let round = 0; round < 100; round++) {
      const socket = connect(Number(own), hostname)
      socket.on('error', () => {})
      const closed = once(socket, 'close')
      leave = () => socket.resetAndDestroy()
      socket.write(`GET /api/v1/ws/server HTTP/1.1\r\nHost: ${host}\r\n${asSocket}\r\n\r\n`)
      await closed
    }
    leave = () => {}
    expect(await received(address)).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(logged).toEqual([])
  })
})
