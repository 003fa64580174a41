import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { entityTable, type Row } from '../../../server/entities/entityTable.ts'
import type { Host } from '../../../server/machines/hosts/host.ts'
import { createOneTimeUrls, type Transfer } from '../../../server/mcp/tools/urlTools.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { type McpProgram, mcpMachines, mcpProgram, turnMcp } from '../../support/server/mcpServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

/** As an installed server has it: the console's files are sent in a way of their own. */
function builtConsole(): string {
  const dist = temporaryFolder()
  writeFileSync(join(dist, 'index.html'), '<!doctype html>')
  return dist
}

type Server = Awaited<ReturnType<typeof mcpMachines>>

const sha256 = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex')
const used = { status: 401, text: 'invalid or already-used transfer token' }

async function urlOf(program: McpProgram, name: string, args: object): Promise<string> {
  const { structuredContent, content } = await program.tool(name, args)
  expect(structuredContent, content[0].text).toBeDefined()
  return structuredContent?.url as string
}

async function ask(url: string, init?: RequestInit) {
  const response = await fetch(url, init)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString() }
}

/** Its own address is what the URLs name. */
function programOn(server: Server, given: Parameters<typeof mcpProgram>[1] = {}): McpProgram {
  const program = mcpProgram(server, given)
  const post: McpProgram['post'] = (body, headers) =>
    program.post(body, { ...headers, host: `127.0.0.1:${server.port}` })
  return {
    ...program,
    post,
    async tool(name, args) {
      const reply = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
      return (reply.body as { result: Awaited<ReturnType<McpProgram['tool']>> }).result
    },
  }
}

describe.each(['this machine', 'a machine with an agent'] as const)('a URL for a file of %s', (where) => {
  async function fixture() {
    const server = await mcpMachines(builtConsole())
    const server_id = where === 'this machine' ? server.idOfHost : (server.rowOf(await server.agent())?.id as number)
    const folder = temporaryFolder()
    return { server, program: programOn(server), server_id, path: (name: string) => join(folder, name) }
  }

  it('downloads it once, without the token', async () => {
    const { program, server_id, path } = await fixture()
    const content = randomBytes(3_000_000)
    writeFileSync(path('file'), content)
    const url = await urlOf(program, 'fs.download_url', { server_id, path: path('file') })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp\/download\/[A-Za-z\d]{24}\.[\da-f]{64}$/)
    const { status, headers, bytes } = await ask(url)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-length')).toBe('3000000')
    expect(sha256(bytes)).toBe(sha256(content))
    expect(await ask(url)).toMatchObject(used)
    writeFileSync(path('other'), 'another file')
    const other = await urlOf(program, 'fs.download_url', { server_id, path: path('other') })
    expect(await ask(other)).toMatchObject({ status: 200, text: 'another file' })
  })

  it('downloads an empty file, and says why it cannot', async () => {
    const { program, server_id, path } = await fixture()
    writeFileSync(path('empty'), '')
    expect(await ask(await urlOf(program, 'fs.download_url', { server_id, path: path('empty') }))).toMatchObject({
      status: 200,
      text: '',
    })
    const missing = await urlOf(program, 'fs.download_url', { server_id, path: path('none') })
    expect(await ask(missing)).toMatchObject({ status: 502, text: 'file or directory does not exist' })
    expect(await ask(missing)).toMatchObject(used)
  })

  it('uploads it once', async () => {
    const { program, server_id, path } = await fixture()
    const content = randomBytes(2_000_000)
    const url = await urlOf(program, 'fs.upload_url', { server_id, path: path('file') })
    const { status, text } = await ask(`${url}?sha256=${sha256(content)}`, { method: 'POST', body: content })
    expect({ status, body: JSON.parse(text) }).toEqual({
      status: 200,
      body: { size: 2_000_000, sha256: sha256(content) },
    })
    expect(sha256(readFileSync(path('file')))).toBe(sha256(content))
    expect(await ask(url, { method: 'POST', body: content })).toMatchObject(used)
    const empty = await urlOf(program, 'fs.upload_url', { server_id, path: path('empty') })
    expect(await ask(empty, { method: 'POST', body: '' })).toMatchObject({ status: 200 })
    expect(readFileSync(path('empty'), 'utf8')).toBe('')
  })

  it('leaves the old file when its token is deleted before the last byte', async () => {
    const { server, program, server_id, path } = await fixture()
    writeFileSync(path('file'), 'old')
    const url = new URL(await urlOf(program, 'fs.upload_url', { server_id, path: path('file') }))
    const row = entityTable(server.store, serverEntity).get(server_id) as Row
    const { operations } = server.app.machines.connected(row) as Host
    const begun = vi.spyOn(operations, 'upload')
    const upload = request(url, { method: 'POST', headers: { 'content-length': '8' } })
    upload.write('half')
    await vi.waitFor(() => expect(begun).toHaveBeenCalled())
    server.app.auth.apiTokens.remove(program.id)
    upload.end('half')
    const [reply] = await once(upload, 'response')
    expect([reply.statusCode, await text(reply)]).toEqual([401, 'the api token is not valid any more'])
    expect(readFileSync(path('file'), 'utf8')).toBe('old')
  })

  it('says that a content has another hash', async () => {
    const { program, server_id, path } = await fixture()
    const url = await urlOf(program, 'fs.upload_url', { server_id, path: path('file') })
    expect(await ask(`${url}?sha256=${sha256('other')}`, { method: 'POST', body: 'this' })).toMatchObject({
      status: 502,
      text: 'sha256 mismatch',
    })
  })
})

describe('a URL', () => {
  async function fixture() {
    const server = await mcpMachines()
    const folder = temporaryFolder()
    const path = join(folder, 'file')
    writeFileSync(path, 'content')
    return { server, program: programOn(server), server_id: server.idOfHost, path, folder }
  }

  it('gives a file its mode, makes folders, and leaves it as it was after a failure', async () => {
    const { program, server_id, path, folder } = await fixture()
    const deep = join(folder, 'a/b')
    const made = await urlOf(program, 'fs.upload_url', { server_id, path: deep, create_dirs: true, mode: '0600' })
    expect(await ask(made, { method: 'POST', body: 'x' })).toMatchObject({ status: 200 })
    expect(lstatSync(deep).mode & 0o777).toBe(0o600)
    const wrong = await urlOf(program, 'fs.upload_url', { server_id, path })
    await ask(`${wrong}?sha256=${sha256('other')}`, { method: 'POST', body: 'changed' })
    expect(readFileSync(path, 'utf8')).toBe('content')
    const stale = await urlOf(program, 'fs.upload_url', { server_id, path, if_match_sha256: sha256('older') })
    expect(await ask(stale, { method: 'POST', body: 'changed' })).toMatchObject({
      text: 'if_match precondition failed: sha256 mismatch',
    })
    expect(readFileSync(path, 'utf8')).toBe('content')
    const bad = await program.tool('fs.upload_url', { server_id, path, if_match_sha256: 'x' })
    expect(bad.content[0].text).toBe('if_match_sha256 must be 64 hex chars')
  })

  it('is for one direction, and used up by its first request', async () => {
    const { program, server_id, path } = await fixture()
    const url = await urlOf(program, 'fs.download_url', { server_id, path })
    const other = url.replace('/download/', '/upload/')
    expect(await ask(other, { method: 'POST', body: 'x' })).toMatchObject({
      status: 401,
      text: 'transfer token direction mismatch',
    })
    expect(await ask(url)).toMatchObject(used)
    const upload = await urlOf(program, 'fs.upload_url', { server_id, path })
    expect(await ask(`${upload}?sha256=x`, { method: 'POST', body: 'x' })).toMatchObject({
      status: 400,
      text: 'sha256 must be 64 hex chars',
    })
    expect(await ask(upload, { method: 'POST', body: 'x' })).toMatchObject(used)
    expect(await ask(url.replace(/\.[\da-f]+$/, `.${'0'.repeat(64)}`))).toMatchObject(used)
  })

  it('is good for its time', async () => {
    const { server, program, server_id, path } = await fixture()
    const expiry = async (ttl_seconds?: number) => {
      const { structuredContent } = await program.tool('fs.download_url', { server_id, path, ttl_seconds })
      return (Date.parse(String(structuredContent?.expires_at)) - server.clock.now) / 1000
    }
    expect([await expiry(), await expiry(10), await expiry(9999), await expiry(-1)]).toEqual([300, 10, 600, 300])
    const url = await urlOf(program, 'fs.download_url', { server_id, path, ttl_seconds: 10 })
    server.clock.now += 11_000
    expect(await ask(url)).toMatchObject({ status: 401, text: 'transfer token expired' })
    expect((await program.tool('fs.download_url', { server_id, path: `/${'x'.repeat(4096)}` })).content[0].text).toBe(
      'path too long',
    )
  })

  it('needs to know how long a content is, and that it is not too long', async () => {
    const { server, program, server_id, path } = await fixture()
    const upload = async (headers: Record<string, string>, payload?: unknown) => {
      const url = await urlOf(program, 'fs.upload_url', { server_id, path })
      const { statusCode, body } = await server.app.inject({
        method: 'POST',
        url: new URL(url).pathname,
        headers: { host: '127.0.0.1:8008', ...headers },
        ...(payload !== undefined && { payload: payload as string }),
      })
      return { status: statusCode, text: body }
    }
    expect(await upload({ 'transfer-encoding': 'chunked' })).toEqual({ status: 411, text: 'Content-Length required' })
    expect(await upload({ 'content-length': '104857601' }, 'x')).toEqual({
      status: 413,
      text: 'body exceeds MCP transfer cap (100MiB)',
    })
    expect(readFileSync(path, 'utf8')).toBe('content')
  })

  it('is void after MCP was off, and without its token or its server', async () => {
    const { server, program, server_id, path } = await fixture()
    const beforeOff = await urlOf(program, 'fs.download_url', { server_id, path })
    turnMcp(server, false)
    turnMcp(server, true)
    expect(await ask(beforeOff)).toMatchObject(used)
    const ofDeleted = await urlOf(program, 'fs.download_url', { server_id, path })
    server.app.auth.apiTokens.remove(program.id)
    expect(await ask(ofDeleted)).toMatchObject({ status: 401, text: 'the api token is not valid any more' })
    const other = programOn(server)
    const offline = await urlOf(other, 'fs.download_url', { server_id, path })
    const admin = await server.admin()
    server.host.disconnect()
    expect(await ask(offline)).toMatchObject({ status: 502, text: 'server offline' })
    const moved = await urlOf(other, 'fs.upload_url', { server_id, path })
    await admin.call('POST', 'batch-move/server', { body: { ids: [server_id], to_user: 2 } })
    expect(await ask(moved, { method: 'POST', body: 'x' })).toMatchObject({ status: 401, text: 'permission denied' })
    expect(existsSync(path) && readFileSync(path, 'utf8')).toBe('content')
  })

  it('is in the audit log with its path, and without its secret', async () => {
    const { server, program, server_id, path } = await fixture()
    const url = await urlOf(program, 'fs.download_url', { server_id, path })
    await ask(url)
    const linesOf = async () => (await server.app.audit.read(0, 50)).rows
    await expect.poll(linesOf).toContainEqual(
      expect.objectContaining({
        action: 'mcp.fs.download',
        username: 'admin',
        target: `server ${server_id}`,
        detail: expect.objectContaining({ path, bytes: 7, outcome: 'ok', token: expect.any(String) }),
      }),
    )
    expect(JSON.stringify(await linesOf())).not.toContain(url.slice(-64))
  })
})

describe('URLs that wait', () => {
  it('are at most 500 of a person, and those of a deleted token take no place', async () => {
    const server = await mcpMachines()
    const isAlive = ({ person }: Transfer['caller']) => server.app.auth.apiTokens.isAlive(person.token.id)
    const urls = createOneTimeUrls(isAlive, () => server.clock.now)
    const transfer = { direction: 'download', serverId: 1, ownerId: 1, path: '/a', options: {} } as const
    /** @returns how many of 101 URLs a token gets */
    function made(tokenId: number, id = 1): number {
      const token = { id: tokenId, name: 'program', scopes: [] }
      const caller = { person: { id, username: 'somebody', role: 0 as const, token } }
      const names = Array.from({ length: 101 }, () => urls.create({ ...transfer, caller, expiresAt: server.clock.now }))
      return names.filter((name) => name !== undefined).length
    }
    const ids = Array.from({ length: 6 }, () => mcpProgram(server).id)
    expect(ids.map((id) => made(id))).toEqual([100, 100, 100, 100, 100, 0])
    expect(made(mcpProgram(server, { user_id: 2 }).id, 2)).toBe(100)
    server.app.auth.apiTokens.remove(ids[0] as number)
    expect(made(ids[5] as number)).toBe(100)
    expect(made(mcpProgram(server).id)).toBe(0)
  })
})
