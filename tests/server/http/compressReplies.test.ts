import { get, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { entities } from '../../../src/schemas/index.ts'
import { fakeUpstream, startGateway } from '../../support/server/gatewayServer.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

interface RawReply {
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** What came over the wire. Rejects when the reply breaks off. */
const read = (address: string, headers: Record<string, string>) =>
  new Promise<RawReply>((resolve, reject) => {
    get(address, { headers, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(parts) }))
    }).on('error', reject)
  })

/** A server with sixty groups, 10 KB of custom code, and an administrator. */
async function serverWithGroups() {
  const server = await testServer({ site: { custom_code_dashboard: `<!--${'-'.repeat(10_000)}-->` } })
  const admin = await signedIn(server)
  for (let number = 1; number <= 60; number++) {
    await admin.call('POST', 'server-group', { body: { name: `Group ${number} in the data centre`, servers: [] } })
  }
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.app.close())
  const { port } = server.app.server.address() as AddressInfo
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return (path: string, coding?: string) =>
    read(`http://127.0.0.1:${port}/api/v1/${path}`, { cookie, ...(coding && { 'accept-encoding': coding }) })
}

describe('A long reply of the API', () => {
  it.each([
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
    ['zstd;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ] as const)('comes compressed to a browser that reads %s, by %s', async (accepted, coding, decompress) => {
    const ask = await serverWithGroups()
    const plain = await ask('server-group')
    const { headers, bytes } = await ask('server-group', accepted)
    expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' })
    expect(headers['content-length']).toBeUndefined()
    expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
    expect(decompress(bytes).toString()).toBe(plain.bytes.toString())
  })

  it('comes uncompressed to a browser that accepts nothing else, with `Vary` for caches', async () => {
    const ask = await serverWithGroups()
    for (const accepted of [undefined, '', 'identity', 'br', 'gzip;q=0']) {
      const { headers, bytes } = await ask('server-group', accepted)
      expect(headers['content-encoding']).toBeUndefined()
      expect(headers.vary).toBe('accept-encoding')
      expect(JSON.parse(bytes.toString()).data).toHaveLength(60)
    }
  })

  it('is whole when many are asked for at the same time', async () => {
    const ask = await serverWithGroups()
    const replies = await Promise.all(Array.from({ length: 60 }, () => ask('server-group', 'gzip')))
    for (const { headers, bytes } of replies) {
      const text = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
      expect(JSON.parse(text.toString()).data).toHaveLength(60)
    }
    expect((await ask('server-group', 'gzip')).headers['content-encoding']).toBe('gzip')
  })
})

describe('A reply that is not compressed', () => {
  it('is a short one', async () => {
    const ask = await serverWithGroups()
    expect((await ask('service', 'gzip')).headers['content-encoding']).toBeUndefined()
  })

  it('is each one with a secret, however long it is', async () => {
    const ask = await serverWithGroups()
    const setting = await ask('setting', 'gzip, zstd')
    expect(setting.bytes.length).toBeGreaterThan(10_000)
    const withSecrets = ['profile', 'setting', 'api-tokens', 'wheelhouse/sessions']
    const lists = Object.values(entities).map(({ api }) => api.listPath)
    const compressible = ['server', 'server-group']
    for (const path of [...withSecrets, ...lists.filter((list) => !compressible.includes(list))]) {
      const { headers } = await ask(`${path}?offset=0&limit=100`, 'gzip, zstd')
      expect([path, headers['content-encoding'], headers.vary]).toEqual([path, undefined, undefined])
    }
  })
})

describe('Behind the gateway', () => {
  const list = JSON.stringify({
    success: true,
    data: Array.from({ length: 500 }, (_, id) => ({ id, name: `db-${id}` })),
  })
  const json = { 'content-type': 'application/json; charset=utf-8' }

  it('a long list comes compressed from a server that compresses nothing', async () => {
    const { url } = await fakeUpstream((_, response) =>
      response.writeHead(200, { ...json, 'content-length': list.length }).end(list),
    )
    const { address } = await startGateway(url)
    const { headers, bytes } = await read(`${address}/api/v1/server`, { 'accept-encoding': 'gzip' })
    expect([headers['content-encoding'], headers['content-length']]).toEqual(['gzip', undefined])
    expect(gunzipSync(bytes).toString()).toBe(list)
    const setting = await read(`${address}/api/v1/setting`, { 'accept-encoding': 'gzip' })
    expect([setting.headers['content-encoding'], setting.bytes.toString()]).toEqual([undefined, list])
  })

  it('what the server has compressed passes as it is', async () => {
    const own = gzipSync(list, { level: 9 })
    const { url } = await fakeUpstream((_, response) =>
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(own),
    )
    const { address } = await startGateway(url)
    expect((await read(`${address}/api/v1/server`, { 'accept-encoding': 'gzip, zstd' })).bytes).toEqual(own)
  })

  it('a list that breaks off does not look complete', async () => {
    const { url } = await fakeUpstream((_, response) => {
      response.writeHead(200, json).write(list)
      setTimeout(() => response.destroy(), 50)
    })
    const { address } = await startGateway(url)
    await expect(read(`${address}/api/v1/server`, { 'accept-encoding': 'gzip' })).rejects.toThrow(/aborted|hang up/)
  })
})
