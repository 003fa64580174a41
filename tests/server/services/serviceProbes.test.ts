import { getEventListeners } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLocalHost } from '../../../server/machines/hosts/local/localHost.ts'
import { createProbe } from '../../../server/machines/hosts/local/probe/probe.ts'
import type { Check } from '../../../server/machines/hosts/probe.ts'
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
  it('is up when its status is good, where it leads to too', async () => {
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

  it('is down when it leads to one that is', async () => {
    const { origin } = await site((reply, { url }) =>
      reply.writeHead(url === '/' ? 301 : 500, { location: '/x' }).end(),
    )
    expect(await web(origin)).toEqual({ outcome: 'down', problem: '500 Internal Server Error' })
  })

  it('with a self-signed certificate is up, and when the certificate runs out is told', async () => {
    const { origin } = await site(undefined, true)
    const certificate = { issuer: 'localhost', expiresAt: Date.parse('2120-01-01T00:00:00Z') }
    expect(await web(origin)).toEqual({ ...up, certificate })
  })

  it('that fails by TLS is down, and its certificate is told all the same', async () => {
    const { origin } = await site((reply) => reply.writeHead(500).end(), true)
    expect(await web(origin)).toMatchObject({ outcome: 'down', certificate: { issuer: 'localhost' } })
  })

  it('that never answers is down when the time is over', async () => {
    const { origin } = await site(() => {})
    const result = await web(origin, { ...asAdmin, timeoutMs: 200 })
    expect(result).toMatchObject({ outcome: 'down', problem: expect.stringContaining('deadline exceeded') })
  })

  it('of a member inside is not permitted, on the way there either, and is never asked', async () => {
    const { origin, deliveries } = await site()
    expect(await web(origin, asMember)).toMatchObject({
      outcome: 'not permitted',
      problem: expect.stringContaining('ALLOW_PRIVATE_TARGETS=true'),
    })
    expect(deliveries).toEqual([])
  })

  it('where clouds tell secrets is not permitted to anybody, nor by a redirect', async () => {
    expect(await web('http://169.254.169.254/latest/')).toMatchObject({ outcome: 'not permitted' })
    const { origin } = await site((reply) => reply.writeHead(302, { location: 'http://169.254.169.254/' }).end())
    expect(await web(origin)).toMatchObject({ outcome: 'not permitted' })
  })
})

describe('a port', () => {
  it('is up when it takes connections, by address and by name', async () => {
    const { port: number } = await port()
    expect(await tcp(`127.0.0.1:${number}`)).toEqual(up)
    expect(await tcp(`localhost:${number}`)).toEqual(up)
  })

  it('is up by IPv6', async () => {
    const { port: number } = await port('::1')
    expect(await tcp(`[::1]:${number}`)).toEqual(up)
  })

  it('is down when nobody listens', async () => {
    const { server, port: number } = await port()
    await new Promise((closed) => server.close(closed))
    const target = `127.0.0.1:${number}`
    expect(await tcp(target)).toEqual({ outcome: 'down', problem: `dial tcp ${target}: connection refused` })
  })

  it.each(['127.0.0.1', '127.0.0.1:0', '127.0.0.1:70000', ':22', 'a b:22', ''])('%j is no port', async (target) => {
    expect(await tcp(target)).toMatchObject({ outcome: 'down', problem: expect.stringContaining('no host:port') })
  })

  it('inside is not permitted to members, the addresses of clouds to nobody', async () => {
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
  /** A stand-in for the system's command that writes down its words. */
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
  ])('is up with the time that the command tells: %s', async (_, script, delay) => {
    const { path } = command(script)
    expect(await createProbe({ ping: path })(icmp, asAdmin)).toEqual({ outcome: 'up', delay })
  })

  it('without a reply is down, with the reason of the command where it has one', async () => {
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

  it('that hangs is killed when the time is over', async () => {
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

  it('without the command is not permitted, and neither with one that may not be run', async () => {
    expect(await createProbe({ ping: '/nowhere/ping' })(icmp, asAdmin)).toEqual({
      outcome: 'not permitted',
      problem: 'the command /nowhere/ping is missing on this machine',
    })
    const { path } = command(summary)
    chmodSync(path, 0o600)
    expect(await createProbe({ ping: path })(icmp, asAdmin)).toMatchObject({ outcome: 'not permitted' })
  })

  it('leaves nothing behind, whether it could be sent or not', async () => {
    const { path } = command(summary)
    const { signal } = new AbortController()
    for (const ping of ['/nowhere/ping', path]) {
      await createProbe({ ping })(icmp, { ...asAdmin, signal })
      expect(getEventListeners(signal, 'abort')).toEqual([])
    }
  })

  it.skipIf(process.platform === 'win32')('hands the command an address, never what somebody typed', async () => {
    const { path, words } = command(summary)
    const ping = createProbe({ ping: path })
    expect(await ping({ type: 'icmp', target: '-f' }, asAdmin)).toMatchObject({ outcome: 'down' })
    expect(await ping({ type: 'icmp', target: '127.0.0.1; reboot' }, asAdmin)).toMatchObject({ outcome: 'down' })
    await ping({ type: 'icmp', target: 'localhost' }, asAdmin)
    expect(words()).toMatch(/^[-\w ]* (127\.0\.0\.1|::1)$/)
  })

  it('inside is not permitted to members, the addresses of clouds to nobody', async () => {
    const { path } = command(summary)
    const ping = createProbe({ ping: path })
    expect(await ping(icmp, asMember)).toMatchObject({ outcome: 'not permitted' })
    expect(await ping({ type: 'icmp', target: '169.254.169.254' }, asAdmin)).toMatchObject({ outcome: 'not permitted' })
  })
})

it('a machine that is set up to check nothing says so, and does not ask', async () => {
  const { origin, deliveries } = await site()
  const host = createLocalHost({ uuid: 'here', version: '1' })
  expect(await host.probe({ type: 'http', target: origin }, asAdmin)).toEqual(up)
  await host.applyConfig('{"disable_send_query": true}')
  expect(await host.probe({ type: 'http', target: origin }, asAdmin)).toMatchObject({ outcome: 'not permitted' })
  expect(deliveries).toHaveLength(1)
})
