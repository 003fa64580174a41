import { writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { upstreamClient } from '../../../server/gateway/forwardRequests.ts'
import { describeFailure } from '../../../server/gateway/upstream.ts'
import { startRawServer } from '../../support/fakes/rawServer.ts'
import { selfSigned } from '../../support/server/certificates/selfSigned.ts'
import { type FakeUpstream, fakeUpstream, startGateway, unusedAddress } from '../../support/server/gatewayServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

/** What a person at the console gets to read. */
async function readAt(address: string, path = '/api/v1/profile', init?: RequestInit) {
  const reply = await fetch(address + path, init)
  const isJson = reply.headers.get('content-type')?.startsWith('application/json')
  return [reply.status, isJson ? ((await reply.json()) as { error?: string }).error : await reply.text()]
}

const page: RequestListener = (_, response) => void response.setHeader('content-type', 'text/html').end('<h1>Hi</h1>')
const good: RequestListener = (_, response) => void response.end('{"success":true}')

describe('a gateway whose upstream', () => {
  it('is down says so, in the log once, and continues when it is back', async () => {
    const url = await unusedAddress()
    const { address, logged } = await startGateway(url)
    const words = `The server at ${url.origin} refuses connections: start it, or correct UPSTREAM.`
    expect(await readAt(address)).toEqual([502, words])
    expect(await readAt(address)).toEqual([502, words])
    const signIn = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    expect(await readAt(address, '/api/v1/login', signIn)).toEqual([502, words])
    // The public site is no API: its visitors get plain words.
    expect(await readAt(address, '/')).toEqual([502, `${words}\n`])
    expect(logged).toEqual([words])
  })

  it('has an unknown host name says so', async () => {
    const { address } = await startGateway(new URL('http://nowhere.invalid'))
    expect(await readAt(address)).toEqual([502, expect.stringMatching(/nowhere\.invalid cannot be found/)])
  })

  it('takes too long says how long it waited', async () => {
    const { url } = await fakeUpstream(() => {})
    const { address } = await startGateway(url, { timeoutMs: 1000 })
    expect(await readAt(address)).toEqual([504, expect.stringMatching(/did not answer within 1 seconds: try again/)])
  })

  it('takes long serves others meanwhile', async () => {
    const { url, asked } = await fakeUpstream((request, response) => {
      if (request.url !== '/api/v1/slow') good(request, response)
    })
    const { address } = await startGateway(url, { timeoutMs: 60_000 })
    let isAnswered = false
    void readAt(address, '/api/v1/slow').catch(() => {
      isAnswered = true
    })
    await expect.poll(() => asked).toHaveLength(1)
    expect((await fetch(`${address}/api/v1/profile`)).status).toBe(200)
    expect(isAnswered).toBe(false)
  })

  it('breaks off in the middle of a reply does not make it look complete', async () => {
    let breakOff = () => {}
    const { url } = await fakeUpstream((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"success"')
      breakOff = () => void response.destroy()
    })
    const { address } = await startGateway(url)
    const reply = await fetch(`${address}/api/v1/profile`)
    breakOff()
    await expect(reply.text()).rejects.toThrow()
    expect((await fetch(`${address}/dashboard/x`, { method: 'POST' })).status).toBe(404)
  })

  it('closes the connection without a reply says so', async () => {
    const { url } = await fakeUpstream((_, response) => void response.destroy())
    const { address } = await startGateway(url)
    expect(await readAt(address)).toEqual([502, expect.stringMatching(/broke the connection off \(\w+\): try again/)])
  })

  it('has a self-signed certificate is not trusted, and names the remedy', async () => {
    const { url, asked } = await fakeUpstream(good, { tls: true })
    const { address } = await startGateway(url)
    expect(await readAt(address)).toEqual([
      502,
      expect.stringMatching(/is not trusted here: set UPSTREAM_CA to a file/),
    ])
    expect(await readAt(address)).toEqual([502, expect.stringContaining('NODE_EXTRA_CA_CERTS')])
    expect(asked).toEqual([])
  })

  it('has a certificate that the operator trusts is trusted', async () => {
    const { url } = await fakeUpstream(good, { tls: true })
    const { address } = await startGateway(url, { ca: [...getCACertificates(), selfSigned.cert] })
    expect((await fetch(`${address}/api/v1/profile`)).status).toBe(200)
  })

  it('does not speak TLS although UPSTREAM says so has a message of its own', async () => {
    const { url } = await fakeUpstream(good)
    const { address } = await startGateway(new URL(`https://${url.host}`))
    expect(await readAt(address)).toEqual([502, expect.stringContaining(`set UPSTREAM to http://${url.host}.`)])
  })
})

describe('a page of the console through a gateway whose upstream', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
  it.each([
    ['switches protocols', 'HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', ''],
    ['sends the head of the settings letter by letter', `${head}x-long: `, 'x'],
    ['sends the settings letter by letter', `${head}\r\n`, '['],
    ['sends settings without end', `${head}\r\n`, '['.repeat(1024 * 1024)],
  ])('%s is delivered without waiting for its end, and needs no memory for the reply', async (_, beginning, more) => {
    let bytes = 0
    const upstream = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.write(beginning))
      const send = () => {
        if (!more || !socket.writable) return
        bytes += more.length
        socket.write(more, () => setTimeout(send, more.length === 1 ? 50 : 0))
      }
      setTimeout(send, 50)
      onTestFinished(() => void socket.destroy())
    })
    await new Promise<void>((listening) => upstream.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void upstream.close())
    const dist = temporaryFolder()
    writeFileSync(join(dist, 'index.html'), '<title>Wheelhouse</title>')
    const { address } = await startGateway(new URL(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`), {
      dist,
    })
    const [reply, again] = await Promise.all([fetch(`${address}/dashboard/`), fetch(`${address}/dashboard/`)])
    expect([reply.status, again.status]).toEqual([200, 200])
    expect(bytes).toBeLessThan(32 * 1024 * 1024)
  })

  it('answers a call with a switch of protocols says that the connection was broken off', async () => {
    const { url } = await fakeUpstream((_, response) =>
      response.writeHead(101, { connection: 'upgrade', upgrade: 'x' }).end(),
    )
    const { address } = await startGateway(url)
    expect(await readAt(address)).toEqual([502, expect.stringMatching(/broke the connection off/)])
  })
})

describe('an unexpected reply', () => {
  const answers = async (answer: RequestListener): Promise<[FakeUpstream, string]> => {
    const upstream = await fakeUpstream(answer)
    return [upstream, (await startGateway(upstream.url)).address]
  }
  const leads =
    (to: string): RequestListener =>
    (_, response) =>
      void response.writeHead(302, { location: to }).end()

  it('is a web page in place of data', async () => {
    const [, address] = await answers(page)
    expect(await readAt(address)).toEqual([
      502,
      expect.stringMatching(/answers with a web page \(HTTP 200\) where data/),
    ])
    expect((await fetch(`${address}/api/v1/profile`)).headers.get('content-security-policy')).toContain("'self'")
    expect(await readAt(address, '/')).toEqual([200, '<h1>Hi</h1>'])
  })

  it('is the error page of a proxy', async () => {
    const [, address] = await answers((request, response) =>
      page(request, Object.assign(response, { statusCode: 503 })),
    )
    expect(await readAt(address)).toEqual([
      502,
      expect.stringMatching(/answers 503 Service Unavailable in the name of/),
    ])
  })

  it('is the page of a proxy that takes no body of this size', async () => {
    const [, address] = await answers((request, response) =>
      page(request, Object.assign(response, { statusCode: 413 })),
    )
    expect(await readAt(address)).toEqual([
      502,
      expect.stringMatching(/takes no body of this size .*client_max_body_size/),
    ])
  })

  it('redirects the API to another host, as a sign-in in between does', async () => {
    const [, address] = await answers(leads('https://sso.example.org/login'))
    expect(await readAt(address)).toEqual([502, expect.stringMatching(/leads to https:\/\/sso\.example\.org instead/)])
    const callback = await fetch(`${address}/api/v1/oauth2/callback?code=1`, { redirect: 'manual' })
    expect(callback.headers.get('location')).toBe('https://sso.example.org/login')
  })

  it('redirects to TLS, where a browser would redirect for ever', async () => {
    const host: { name?: string } = {}
    const [{ url }, address] = await answers((request, response) =>
      leads(`https://${host.name}${request.url}`)(request, response),
    )
    host.name = url.host
    const words = `The server at ${url.origin} wants to be called with TLS: set UPSTREAM to https://${url.host}.`
    expect(await readAt(address)).toEqual([502, words])
    expect(await readAt(address, '/')).toEqual([502, `${words}\n`])
  })

  it('is not the page for blocked addresses, nor a redirect of a trailing slash, nor an error in JSON', async () => {
    const [, address] = await answers((request, response) => {
      if (request.url?.endsWith('/')) response.writeHead(301, { location: '/api/v1/x', 'content-type': 'text/html' })
      else if (request.url === '/api/v1/blocked') response.writeHead(403, { 'content-type': 'text/html' })
      else response.writeHead(500, { 'content-type': 'application/json' })
      response.end('as it came')
    })
    for (const [path, status] of [
      ['blocked', 403],
      ['x/', 301],
      ['broken', 500],
    ] as const) {
      const reply = await fetch(`${address}/api/v1/${path}`, { redirect: 'manual' })
      expect([reply.status, await reply.text()]).toEqual([status, 'as it came'])
    }
  })
})

describe('a failed connection', () => {
  it.each([
    ['ETIMEDOUT', 504, 'cannot be reached: a firewall'],
    ['EHOSTUNREACH', 502, 'cannot be reached from here'],
    ['CERT_HAS_EXPIRED', 502, 'not valid today'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 502, 'for another name'],
    ['ESOMETHING', 502, 'broke the connection off (ESOMETHING)'],
  ])('with the code %s has words of its own, however it is wrapped', (code, status, words) => {
    const inner = Object.assign(new AggregateError([Object.assign(new Error('inside'), { code })]), { code })
    const error = Object.assign(new Error('outside', { cause: inner }), { code: 'FST_REPLY_FROM_INTERNAL' })
    expect(describeFailure(error, new URL('https://monitor.example.org'), 1000)).toEqual({
      status,
      text: expect.stringContaining(words),
    })
  })
})

it.each([
  ['with a length', 'content-length: 65536\r\n'],
  ['that the end of the connection ends', ''],
])(
  'a reply %s that nobody reads when its connection ends does not end the gateway, and is whole',
  async (_how, length) => {
    const { port } = await startRawServer((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\n${length}connection: close\r\n\r\n`)
        socket.end(Buffer.alloc(65_536, 'x'))
      })
    })
    const client = upstreamClient({ timeoutMs: 5000 })
    const { body } = await client.request({ origin: `http://127.0.0.1:${port}`, path: '/', method: 'GET' })
    // The end of the connection has come by then; that nobody has read is what a slow visitor does.
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect((await body.arrayBuffer()).byteLength).toBe(65_536)
  },
)
