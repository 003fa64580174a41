import { getEventListeners } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLocalHost } from '../../../server/machines/hosts/local/localHost.ts'
import { createProbe } from '../../../server/machines/hosts/local/probe.ts'
import type { Check } from '../../../server/machines/hosts/probe.ts'
import { closedPort } from '../../support/fakes/rawServer.ts'
import { createReceiver } from '../../support/fakes/receiver.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const asAdmin = { timeoutMs: 3000, allowPrivate: true }
const asMember = { timeoutMs: 3000, allowPrivate: false }
const probe = createProbe()
const up = { outcome: 'up', delay: expect.any(Number) }

async function site(answer?: (reply: ServerResponse, asked: { url?: string }) => void, isTls = false) {
  const server = await createReceiver(answer, { isTls })
  onTestFinished(() => server.close())
  return server
}

async function port(address = '127.0.0.1'): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.on('error', () => {}))
  await new Promise<void>((listening) => server.listen(0, address, listening))
  onTestFinished(() => void server.close())
  return { server, port: (server.address() as AddressInfo).port }
}

const web = (target: string, options = asAdmin) => probe({ type: 'http', target }, options)
const tcp = (target: string, options = asAdmin) => probe({ type: 'tcp', target }, options)

describe('a page', () => {
  it('is up with a successful status, also after a redirect', async () => {
    const { origin } = await site((reply, { url }) => {
      if (url === '/') reply.writeHead(302, { location: '/there' })
      reply.end('much')
    })
    expect(await web(`${origin}/`)).toEqual(up)
    expect(await web(`  ${origin}/there `)).toEqual(up)
  })

  it.each([
    [404, '404 Not Found'],
    [503, '503 Service Unavailable'],
  ])('is down with status %i', async (status, problem) => {
    const { origin } = await site((reply) => reply.writeHead(status).end())
    expect(await web(origin)).toEqual({ outcome: 'down', problem })
  })

  it('is down when it redirects to one that is down', async () => {
    const { origin } = await site((reply, { url }) =>
      reply.writeHead(url === '/' ? 301 : 500, { location: '/x' }).end(),
    )
    expect(await web(origin)).toEqual({ outcome: 'down', problem: '500 Internal Server Error' })
  })

  it('with a self-signed certificate is up, with the expiry of the certificate', async () => {
    const { origin } = await site(undefined, true)
    const certificate = { issuer: 'localhost', expiresAt: Date.parse('2120-01-01T00:00:00Z') }
    expect(await web(origin)).toEqual({ ...up, certificate })
  })

  it('that fails over TLS is down, with its certificate', async () => {
    const { origin } = await site((reply) => reply.writeHead(500).end(), true)
    expect(await web(origin)).toMatchObject({ outcome: 'down', certificate: { issuer: 'localhost' } })
  })

  it('that never answers is down after the timeout', async () => {
    const { origin } = await site(() => {})
    const result = await web(origin, { ...asAdmin, timeoutMs: 200 })
    expect(result).toMatchObject({ outcome: 'down', problem: expect.stringContaining('deadline exceeded') })
  })

  it('in a private network is not permitted for members, and no request is sent', async () => {
    const { origin, deliveries } = await site()
    expect(await web(origin, asMember)).toMatchObject({
      outcome: 'not permitted',
      problem: expect.stringContaining('ALLOW_PRIVATE_TARGETS=true'),
    })
    expect(deliveries).toEqual([])
  })

  it("of a cloud's metadata service is not permitted for anybody, also by a redirect", async () => {
    expect(await web('http://169.254.169.254/latest/')).toMatchObject({ outcome: 'not permitted' })
    const { origin } = await site((reply) => reply.writeHead(302, { location: 'http://169.254.169.254/' }).end())
    expect(await web(origin)).toMatchObject({ outcome: 'not permitted' })
  })
})

describe('a port', () => {
  it('is up when it accepts connections, by address and by name', async () => {
    const { port: number } = await port()
    expect(await tcp(`127.0.0.1:${number}`)).toEqual(up)
    expect(await tcp(`localhost:${number}`)).toEqual(up)
  })

  it('is up by IPv6', async () => {
    const { port: number } = await port('::1')
    expect(await tcp(`[::1]:${number}`)).toEqual(up)
  })

  it('is down when connections are refused', async () => {
    const target = `127.0.0.1:${await closedPort()}`
    expect(await tcp(target)).toEqual({ outcome: 'down', problem: `dial tcp ${target}: connection refused` })
  })

  it.each(['127.0.0.1', '127.0.0.1:0', '127.0.0.1:70000', ':22', 'a b:22', ''])(
    '%j is not a valid target',
    async (target) => {
      expect(await tcp(target)).toMatchObject({ outcome: 'down', problem: expect.stringContaining('no host:port') })
    },
  )

  it('in a private network is not permitted for members, metadata services for nobody', async () => {
    const { server, port: number } = await port()
    let calls = 0
    server.on('connection', () => calls++)
    expect(await tcp(`127.0.0.1:${number}`, asMember)).toMatchObject({ outcome: 'not permitted' })
    expect(await tcp(`localhost:${number}`, asMember)).toMatchObject({ outcome: 'not permitted' })
    expect(await tcp('169.254.169.254:80')).toMatchObject({ outcome: 'not permitted' })
    expect(calls).toBe(0)
  })
})

describe('a ping', () => {
  /** A fake of the system's ping command that records its arguments. */
  function command(script: string) {
    const folder = temporaryFolder()
    const path = join(folder, 'ping')
    writeFileSync(path, `#!/bin/sh\necho "$@" >> ${folder}/words\n${script}\n`)
    chmodSync(path, 0o755)
    return { path, words: () => readFileSync(join(folder, 'words'), 'utf8').trim() }
  }

  const icmp: Check = { type: 'icmp', target: '127.0.0.1' }
  const summary = 'echo "rtt min/avg/max/mdev = 0.031/0.042/0.053/0.000 ms"'
  const old = 'echo "round-trip min/avg/max = 0.1/12.5/13.0 ms"'

  it.each([
    ['Linux', summary, 0.042],
    ['BusyBox and macOS', old, 12.5],
    ['Windows, in German', 'echo "Antwort von 127.0.0.1: Bytes=32 Zeit<1ms TTL=128"', 1],
  ])('is up with the time in the output of the command: %s', async (_, script, delay) => {
    const { path } = command(script)
    expect(await createProbe({ ping: path })(icmp, asAdmin)).toEqual({ outcome: 'up', delay })
  })

  it('without a reply is down, with the error of the command if there is one', async () => {
    const silent = command('echo "1 packets transmitted, 0 received"; exit 1')
    expect(await createProbe({ ping: silent.path })(icmp, asAdmin)).toEqual({
      outcome: 'down',
      problem: 'ping 127.0.0.1: no reply',
    })
    const nowhere = command('echo "ping: connect: Network is unreachable" >&2; exit 2')
    expect(await createProbe({ ping: nowhere.path })(icmp, asAdmin)).toMatchObject({
      problem: 'ping 127.0.0.1: connect: Network is unreachable',
    })
  })

  it('that hangs is killed after the timeout', async () => {
    const { path } = command('exec sleep 30')
    const result = await createProbe({ ping: path })(icmp, { ...asAdmin, timeoutMs: 1000 })
    expect(result).toEqual({ outcome: 'down', problem: 'ping 127.0.0.1: no reply' })
  })

  it.each([
    ['ping: socket: Operation not permitted', 'this machine may not send pings'],
    ['ping: permission denied (are you root?)', 'this machine may not send pings'],
  ])('that the machine refuses with "%s" is not permitted', async (words, problem) => {
    const { path } = command(`echo "${words}" >&2; exit 2`)
    expect(await createProbe({ ping: path })(icmp, asAdmin)).toEqual({ outcome: 'not permitted', problem })
  })

  it('is not permitted when the command is missing or not executable', async () => {
    expect(await createProbe({ ping: '/nowhere/ping' })(icmp, asAdmin)).toEqual({
      outcome: 'not permitted',
      problem: 'the command /nowhere/ping is missing on this machine',
    })
    const { path } = command(summary)
    chmodSync(path, 0o600)
    expect(await createProbe({ ping: path })(icmp, asAdmin)).toMatchObject({ outcome: 'not permitted' })
  })

  it('removes its abort listener, whether it could be sent or not', async () => {
    const { path } = command(summary)
    const { signal } = new AbortController()
    for (const ping of ['/nowhere/ping', path]) {
      await createProbe({ ping })(icmp, { ...asAdmin, signal })
      expect(getEventListeners(signal, 'abort')).toEqual([])
    }
  })

  it.skipIf(process.platform === 'win32')('gives the command an address, never the entered text', async () => {
    const { path, words } = command(summary)
    const ping = createProbe({ ping: path })
    expect(await ping({ type: 'icmp', target: '-f' }, asAdmin)).toMatchObject({ outcome: 'down' })
    expect(await ping({ type: 'icmp', target: '127.0.0.1; reboot' }, asAdmin)).toMatchObject({ outcome: 'down' })
    await ping({ type: 'icmp', target: 'localhost' }, asAdmin)
    expect(words()).toMatch(/^[-\w ]* (127\.0\.0\.1|::1)$/)
  })

  it('in a private network is not permitted for members, metadata services for nobody', async () => {
    const { path } = command(summary)
    const ping = createProbe({ ping: path })
    expect(await ping(icmp, asMember)).toMatchObject({ outcome: 'not permitted' })
    expect(await ping({ type: 'icmp', target: '169.254.169.254' }, asAdmin)).toMatchObject({ outcome: 'not permitted' })
  })
})

it('a machine whose settings disable checks reports them as not permitted', async () => {
  const { origin, deliveries } = await site()
  const host = createLocalHost({ uuid: 'here', version: '1' })
  expect(await host.probe({ type: 'http', target: origin }, asAdmin)).toEqual(up)
  await host.applyConfig('{"disable_send_query": true}')
  expect(await host.probe({ type: 'http', target: origin }, asAdmin)).toMatchObject({ outcome: 'not permitted' })
  expect(deliveries).toHaveLength(1)
})
