import { writeFileSync } from 'node:fs'
import { request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { type AddressInfo, connect as connectTcp, createServer } from 'node:net'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { describe, expect, it, vi } from 'vitest'
import { offeredProtocols } from '../../../../server/http/sniffStart.ts'
import { readSettings } from '../../../../server/settings.ts'
import { startAgentServer } from '../../../support/agent/agentServer.ts'
import { certificateFiles } from '../../../support/server/certificates/certificateFiles.ts'
import { renewedCertificate, selfSigned } from '../../../support/server/certificates/selfSigned.ts'

async function withTls() {
  const files = certificateFiles()
  return { ...(await startAgentServer({ tls: files })), files }
}

const trusting = { insecure: false, ca: selfSigned.cert }

function tlsTo(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca: selfSigned.cert, ...options }, () => resolve(socket))
    socket.on('error', reject)
  })
}

/** The status and the cookies of `GET /api/v1/setting` over https. */
function getSettings(port: number): Promise<{ status?: number; headers: object }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/api/v1/setting', ca: selfSigned.cert, agent: false }
    const sent = request(options, (reply) => {
      reply.resume()
      resolve({ status: reply.statusCode, headers: reply.headers })
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('with TLS_CERT and TLS_KEY', () => {
  it('agents and browsers are answered on the same port', async () => {
    const { port, calls, clock } = await withTls()
    expect(await calls(undefined, trusting).unary('ReportSystemInfo2', {})).toEqual({ data: clock.now / 1000 })
    expect(await getSettings(port)).toMatchObject({ status: 200 })
    const browser = await tlsTo(port, { ALPNProtocols: ['h2', 'http/1.1'] })
    expect(browser.alpnProtocol).toBe('h2')
    browser.destroy()
  })

  it('somebody who asks for a page is answered while agents that came earlier wait for their turn', async () => {
    const { port, app } = await withTls()
    let isOver = false
    for (let count = 0; count < 500; count++) {
      app.load.agentWork.add(() => {
        for (const end = performance.now() + 6; !isOver && performance.now() < end; );
      })
    }
    let isAnswered = false
    const agent = tlsTo(port, { ALPNProtocols: ['h2'] }).then((socket) => {
      isAnswered = true
      return socket
    })
    expect(await getSettings(port)).toMatchObject({ status: 200 })
    expect(isAnswered).toBe(false)
    isOver = true
    expect((await agent).alpnProtocol).toBe('h2')
    ;(await agent).destroy()
  })

  it('the protocols that a client offers are known from its first bytes, whatever else is in them', async () => {
    const offered = async (options: ConnectionOptions) => {
      const server = createServer()
      const first = new Promise<Buffer>((resolve) => {
        server.on('connection', (socket) => {
          socket.on('error', () => {})
          socket.once('data', (bytes) => {
            resolve(bytes)
            socket.destroy()
          })
        })
      })
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
      await tlsTo((server.address() as AddressInfo).port, options).catch(() => {})
      server.close()
      return first
    }
    const hello = await offered({ ALPNProtocols: ['h2', 'http/1.1'], servername: 'console.example.org' })
    expect(offeredProtocols(hello)).toEqual(['h2', 'http/1.1'])
    expect(offeredProtocols(await offered({ ALPNProtocols: ['h2'], maxVersion: 'TLSv1.2' }))).toEqual(['h2'])
    expect(offeredProtocols(await offered({}))).toEqual([])
    // A part of it, and anything that only looks like one: no error, and at most fewer names.
    for (let length = 0; length < hello.length; length++) {
      expect(offeredProtocols(hello.subarray(0, length)).length).toBeLessThanOrEqual(2)
      const broken = Buffer.from(hello)
      broken[length] = 255
      expect(offeredProtocols(broken)).toBeInstanceOf(Array)
    }
  })

  it('a client that agrees on no protocol is recognized by its first bytes', async () => {
    const { port } = await withTls()
    const http = await tlsTo(port)
    const text = new Promise((resolve) => http.once('data', (bytes) => resolve(String(bytes))))
    http.write('GET /api/v1/setting HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    expect(await text).toMatch(/^HTTP\/1.1 200 /)
    const http2 = await tlsTo(port)
    const frame = new Promise<Buffer>((resolve) => http2.once('data', resolve))
    http2.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0')
    // The first frame of a server: its settings.
    expect((await frame)[3]).toBe(4)
    http2.destroy()
  })

  it('plain http is sent to https, and a plain agent is refused', async () => {
    const { port, calls } = await withTls()
    const location = await new Promise((resolve, reject) => {
      const sent = requestPlain({ host: '127.0.0.1', port, path: '/dashboard?x=1' }, (reply) => {
        reply.resume()
        resolve([reply.statusCode, reply.headers.location])
      })
      sent.on('error', reject).end()
    })
    expect(location).toEqual([308, `https://127.0.0.1:${port}/dashboard?x=1`])
    await expect(calls().unary('ReportSystemInfo2', {})).rejects.toMatchObject({ code: 14 })
  })

  it('an agent that does not trust the certificate stays out', async () => {
    const { calls } = await withTls()
    await expect(calls(undefined, { insecure: false }).unary('ReportSystemInfo2', {})).rejects.toMatchObject({
      code: 14,
    })
  })

  it('a renewed certificate is used for new connections, and a broken one is not', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { port, files, logged } = await withTls()
    const presented = async () => {
      const socket = await tlsTo(port, { rejectUnauthorized: false })
      const { CN } = socket.getPeerCertificate().subject
      socket.destroy()
      return CN
    }
    expect(await presented()).toBe('localhost')
    writeFileSync(files.cert, 'half of a certif')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(logged.filter((line) => line.includes('cannot be used'))).toHaveLength(1)
    expect(await presented()).toBe('localhost')
    writeFileSync(files.cert, renewedCertificate.cert)
    writeFileSync(files.key, renewedCertificate.key)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await presented()).toBe('renewed')
    expect(logged.at(-1)).toContain('has changed')
  })

  it('connections that say nothing do not hold up the end of the server', async () => {
    const { port, app } = await withTls()
    const silent = connectTcp(port, '127.0.0.1')
    silent.on('error', () => {})
    await new Promise((resolve) => silent.once('connect', resolve))
    const handshake = connectTcp(port, '127.0.0.1')
    handshake.on('error', () => {})
    handshake.write(Buffer.from([0x16, 3, 1]))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const began = performance.now()
    await app.close()
    // They would be ended after ten seconds.
    expect(performance.now() - began).toBeLessThan(8000)
  })
})

describe('a start with TLS', () => {
  it.each([
    [{ TLS_CERT: '/cert.pem' }, 'TLS_CERT is set and TLS_KEY is not'],
    [{ TLS_KEY: '/key.pem' }, 'TLS_KEY is set and TLS_CERT is not'],
  ])('is refused with %s', (environment, sentence) => {
    expect(() => readSettings(environment)).toThrow(sentence)
  })

  it('is refused with a message when the files do not belong together', async () => {
    const files = certificateFiles({ cert: selfSigned.cert, key: 'no key' })
    await expect(startAgentServer({ tls: files })).rejects.toThrow(/set both to files in PEM that belong together/)
  })
})
