import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../support/root.ts'
import { type McpProgram, mcpMachines, mcpProgram, mcpServer, turnMcp } from '../../support/server/mcpServer.ts'

interface Pair {
  name: string
  request: { body: object }
  response: { status: number; body: { result?: { tools?: { name: string }[] } } }
}

const { pairs } = JSON.parse(readFileSync(join(root, 'docs/contract/mcp-recordings.json'), 'utf8')) as { pairs: Pair[] }
const recorded = (name: string) => pairs.find((pair) => pair.name === name) as Pair

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const off = {
  jsonrpc: '2.0',
  error: { code: -32002, message: 'MCP is disabled by the dashboard administrator' },
}

describe('a client of the endpoint', () => {
  it('gets the reply that it is off, with and without a token, until an administrator turns it on', async () => {
    const server = await mcpServer()
    turnMcp(server, false)
    const program = mcpProgram(server)
    expect(await program.post(ping)).toMatchObject({ status: 200, body: off })
    expect((await program.post(recorded('mcp-off').request.body)).body).toEqual(recorded('mcp-off').response.body)
    expect((await server.browser().call('POST', '/mcp', { body: ping })).body).toEqual(off)
    const admin = await server.browser()
    await admin.signIn('admin', 'correct horse')
    const form = { web_real_ip_header: 'NZ::Use-Peer-IP', agent_real_ip_header: 'NZ::Use-Peer-IP', enable_mcp: true }
    expect(
      (await admin.call('PATCH', 'setting', { body: { user_template: 'user-dist', ...form } })).body,
    ).toMatchObject({
      success: true,
    })
    expect((await program.post(ping)).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  it('needs an API token, written as real servers want it', async () => {
    const server = await mcpServer()
    const { secret, post } = mcpProgram(server)
    const missing = {
      status: 401,
      body: { jsonrpc: '2.0', error: { code: -32001, message: 'missing or invalid API token' } },
    }
    const call = (headers?: Record<string, string>, path = '/mcp') =>
      server.browser().call('POST', path, { body: ping, headers })
    expect(await call()).toMatchObject(missing)
    expect(await call({ authorization: `bearer ${secret}` })).toMatchObject(missing)
    expect(await call({ authorization: `Basic ${secret}` })).toMatchObject(missing)
    expect(await call({}, `/mcp?token=${secret}`)).toMatchObject(missing)
    const { response, request } = recorded('wrong-token')
    const wrong = await server.browser('198.51.100.7').call('POST', '/mcp', {
      body: request.body,
      headers: { authorization: 'Bearer nzp_EXAMPLE' },
    })
    expect(wrong).toMatchObject({ status: response.status, body: response.body })
    expect((await post(ping)).status).toBe(200)
  })

  it('can only post, and only here', async () => {
    const server = await mcpServer()
    const call = (method: string, path = '/mcp') => server.browser().call(method, path)
    for (const method of ['GET', 'DELETE']) {
      const reply = await call(method)
      expect(reply).toMatchObject({
        status: 405,
        body: { error: 'MCP endpoint only accepts POST (Streamable HTTP without standalone SSE / sessions)' },
      })
      expect(reply.headers.allow).toBe('POST')
    }
    for (const method of ['PUT', 'PATCH', 'OPTIONS']) {
      expect(await call(method), method).toMatchObject({ status: 404, body: { error: '404 Not Found' } })
    }
    const head = await server.app.inject({ method: 'HEAD', url: '/mcp', headers: { host: '127.0.0.1:8008' } })
    expect(head.statusCode).toBe(404)
    const slash = await call('POST', '/mcp/')
    expect(slash).toMatchObject({ status: 307 })
    expect(slash.headers.location).toBe('/mcp')
    expect((await call('POST', '/api/v1/mcp')).status).toBe(404)
  })

  it('cannot be a page of another origin', async () => {
    const { post } = mcpProgram(await mcpServer())
    expect(await post(ping, { origin: 'https://elsewhere.example' })).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('ApiErrorForbidden') },
    })
    expect((await post(ping, { origin: 'null' })).status).toBe(403)
    expect((await post(ping, { origin: 'http://127.0.0.1:8008' })).status).toBe(200)
  })

  it('may call 10 times a second and 120 times a minute with one token', async () => {
    const server = await mcpServer()
    const { post, tool } = mcpProgram(server)
    const other = mcpProgram(server)
    for (let calls = 0; calls < 10; calls++) expect((await post(ping)).status).toBe(200)
    expect(await post(ping)).toMatchObject({
      status: 429,
      body: { id: 1, error: { code: -32002, message: 'rate limit exceeded for this token' } },
    })
    expect(await tool('meta.whoami')).toEqual({
      content: [{ type: 'text', text: 'rate limit exceeded for this token' }],
      structuredContent: { error: 'rate limit exceeded for this token', error_code: 'rate_limited' },
      isError: true,
    })
    expect((await other.post(ping)).status).toBe(200)
    server.clock.now += 1000
    // With those that were refused there were 12 until now.
    for (let calls = 12; calls < 120; calls++) {
      server.clock.now += 200
      expect((await post('{')).status).toBe(200)
    }
    server.clock.now += 1000
    expect((await post(ping)).status).toBe(429)
    server.clock.now += 60_000
    expect((await post(ping)).status).toBe(200)
  })
})

describe('a long body beyond a limit is refused before it is sent', () => {
  /** Announces 8 MiB and sends nothing of them. @returns the first line of the answer and its body */
  function announce({ port }: { port: number }, { secret }: McpProgram): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let received = ''
    socket.on('data', (data) => {
      received += data
      if (received.includes('"jsonrpc"')) resolve(received)
    })
    socket.once('error', reject)
    socket.write(
      ['POST /mcp HTTP/1.1', `host: 127.0.0.1:${port}`, `authorization: Bearer ${secret}`].join('\r\n') +
        `\r\ncontent-type: application/json\r\ncontent-length: ${8 * 1024 ** 2}\r\n\r\n`,
    )
    return promise
  }

  it('the calls of a token', async () => {
    const server = await mcpMachines()
    const program = mcpProgram(server)
    for (let calls = 0; calls < 10; calls++) await program.post(ping)
    const reply = await announce(server, program)
    expect(reply).toMatch(/^HTTP\/1\.1 429 /)
    expect(reply).toContain('"message":"rate limit exceeded for this token"')
  })

  /** Sends a request whose length is not said, padded to this many bytes. */
  async function sendUnsaid({ port }: { port: number }, { secret }: McpProgram, bytes = 0) {
    const body = new Blob([JSON.stringify(ping).padEnd(bytes)]).stream()
    const headers = { authorization: `Bearer ${secret}` }
    const given = { method: 'POST', headers, body, duplex: 'half' }
    return (await fetch(`http://127.0.0.1:${port}/mcp`, given)).status
  }

  it('the bytes that one person sends in a minute, with whatever token, whether their number is said or not', async () => {
    const server = await mcpMachines()
    const longest = 8 * 1024 ** 2
    for (let sent = 0; sent < 15; sent++) expect(await sendUnsaid(server, mcpProgram(server), longest)).toBe(200)
    // What is short counts as short.
    for (let sent = 0; sent < 20; sent++) expect(await sendUnsaid(server, mcpProgram(server))).toBe(200)
    expect(await announce(server, mcpProgram(server))).toMatch(/^HTTP\/1\.1 429 /)
    expect(await sendUnsaid(server, mcpProgram(server, { user_id: 2 }), longest)).toBe(200)
    server.clock.now += 60_000
    for (let sent = 0; sent < 16; sent++) expect(await sendUnsaid(server, mcpProgram(server), longest)).toBe(200)
    expect(await sendUnsaid(server, mcpProgram(server), longest)).toBe(429)
    server.clock.now += 60_000
    expect(await sendUnsaid(server, mcpProgram(server), longest)).toBe(200)
  })

  it('and what comes of it after that is read out, also beyond the bytes of a minute', async () => {
    const server = await mcpMachines()
    const MiB = 1024 ** 2
    for (let sent = 0; sent < 14; sent++) await sendUnsaid(server, mcpProgram(server), 8 * MiB)
    const socket = connect(server.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let replies = ''
    socket.on('data', (data) => {
      replies += data
    })
    const send = (count: number) => {
      for (let sent = 0; sent < count; sent++) socket.write(`${MiB.toString(16)}\r\n${' '.repeat(MiB)}\r\n`)
    }
    const host = `host: 127.0.0.1:${server.port}`
    socket.write(`POST /mcp HTTP/1.1\r\n${host}\r\nauthorization: Bearer ${mcpProgram(server).secret}\r\n`)
    socket.write('content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n')
    send(9)
    await vi.waitFor(() => expect(replies).toContain(`at most ${8 * MiB} bytes`))
    send(20)
    socket.write(`0\r\n\r\nGET /api/v1/setting HTTP/1.1\r\n${host}\r\n\r\n`)
    await vi.waitFor(() => expect(replies).toContain('"success":true'))
  })

  it('what comes of a body whose length is not said, beyond the calls of a token', async () => {
    const server = await mcpMachines()
    const program = mcpProgram(server)
    for (let calls = 0; calls < 10; calls++) await program.post(ping)
    const { secret } = program
    const socket = connect(server.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(`POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nauthorization: Bearer ${secret}\r\n`)
    socket.write('content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n')
    socket.write(`${(64 * 1024).toString(16)}\r\n${' '.repeat(64 * 1024)}\r\n`)
    // The rest of the body never comes.
    const [received] = (await once(socket, 'data')) as [Buffer]
    expect(String(received)).toMatch(/^HTTP\/1\.1 429 /)
  })

  it('the calls of one person with all of their tokens', async () => {
    const server = await mcpMachines()
    const programs = Array.from({ length: 61 }, () => mcpProgram(server))
    for (const { post } of programs.slice(0, 60)) {
      for (let calls = 0; calls < 10; calls++) await post(ping)
    }
    expect((await (programs.at(-1) as McpProgram).post(ping)).status).toBe(429)
    expect((await mcpProgram(server, { user_id: 2 }).post(ping)).status).toBe(200)
  })
})

describe('a message', () => {
  const fixture = async () => {
    const server = await mcpServer()
    // Each has a window of its own.
    return (body: unknown) => mcpProgram(server).post(body)
  }
  const errorOf = async (reply: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await reply
    return { status, ...(body as { id?: unknown; error?: { code: number; message: string } }) }
  }

  it('that is no request is refused', async () => {
    const post = await fixture()
    const parse = {
      status: 200,
      error: { code: -32700, message: expect.stringMatching(/^invalid json-rpc envelope: /) },
    }
    for (const body of ['', 'x', '{', '[]', `[${JSON.stringify(ping)}]`, '{"jsonrpc":"2.0","id":1,"method":7}', '7']) {
      const reply = await errorOf(post(body))
      expect(reply, body).toMatchObject(parse)
      expect(reply, body).not.toHaveProperty('id')
    }
    expect((await errorOf(post(''))).error?.message).toBe('invalid json-rpc envelope: EOF')
    for (const body of [
      { id: 1, method: 'ping' },
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 1 },
    ]) {
      expect(await errorOf(post(body))).toMatchObject({
        status: 200,
        id: 1,
        error: { code: -32600, message: 'invalid json-rpc envelope' },
      })
    }
  })

  it('with more than 100,000 values is refused in words, wherever they are', async () => {
    const post = await fixture()
    const many = Array.from({ length: 100_001 }, () => [])
    for (const body of [
      { ...ping, params: many },
      { ...ping, unknown: many },
      { ...ping, id: many },
    ]) {
      expect(await errorOf(post(body))).toMatchObject({
        status: 200,
        error: { code: -32700, message: 'invalid json-rpc envelope: too many values: at most 100000' },
      })
    }
  })

  it('may have 8 MiB', async () => {
    const post = await fixture()
    const sized = (bytes: number) => {
      const empty = JSON.stringify({ ...ping, pad: '' })
      return `${empty.slice(0, -2)}${'x'.repeat(bytes - empty.length)}"}`
    }
    expect(await post(sized(8 * 1024 * 1024))).toMatchObject({ status: 200, body: { id: 1, result: {} } })
    expect(await post(sized(8 * 1024 * 1024 + 1))).toMatchObject({
      status: 200,
      body: { error: { code: -32700, message: expect.stringContaining('unexpected end of JSON input') } },
    })
  })

  it('gets its id back, whatever it is, and what follows it is ignored', async () => {
    const post = await fixture()
    for (const id of ['a', 7, 1.5, { deep: [1] }]) expect((await post({ ...ping, id })).body).toMatchObject({ id })
    expect((await post(`${JSON.stringify(ping)} and more`)).body).toMatchObject({ id: 1, result: {} })
  })

  it('without an id is a notification if it is one, and is else answered without', async () => {
    const post = await fixture()
    for (const method of ['ping', 'notifications/initialized']) {
      expect(await post({ jsonrpc: '2.0', method })).toMatchObject({ status: 202, text: '' })
      expect(await post({ jsonrpc: '2.0', id: null, method })).toMatchObject({ status: 202, text: '' })
      expect((await post({ ...ping, method })).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    }
    const { body } = await post({ jsonrpc: '2.0', method: 'tools/list' })
    expect(body).toMatchObject({ result: { tools: expect.any(Array) } })
    expect(body).not.toHaveProperty('id')
  })

  it('with another method is refused by its name', async () => {
    const post = await fixture()
    for (const method of ['resources/list', 'prompts/list', 'notifications/cancelled']) {
      expect(await errorOf(post({ ...ping, method }))).toMatchObject({
        status: 200,
        error: { code: -32601, message: `method not supported: ${method}` },
      })
    }
    const { request, response } = recorded('unknown-tool')
    expect((await post(request.body)).body).toEqual(response.body)
    const call = (params: unknown) => errorOf(post({ ...ping, method: 'tools/call', params }))
    expect((await call([])).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('invalid arguments: '),
    })
    expect((await call({ name: 7 })).error).toMatchObject({ code: -32602 })
    expect((await call({})).error).toEqual({ code: -32602, message: 'tool name required' })
  })

  it('that begins a conversation gets the version that it asks for, or that of real servers', async () => {
    const post = await fixture()
    const versionFor = async (params?: object) => {
      const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
      const { result } = body as { result: { protocolVersion: string } }
      expect(result).toEqual({
        protocolVersion: result.protocolVersion,
        capabilities: { tools: { listChanged: false } },
        serverInfo: { name: 'wheelhouse', version: '1.2.3' },
      })
      return result.protocolVersion
    }
    expect(await versionFor()).toBe('2024-11-05')
    expect(await versionFor({ protocolVersion: '2025-11-25' })).toBe('2025-11-25')
    expect(await versionFor({ protocolVersion: '2025-06-18' })).toBe('2025-06-18')
    // It would need batches of requests.
    expect(await versionFor({ protocolVersion: '2025-03-26' })).toBe('2024-11-05')
    expect(await versionFor({ protocolVersion: '1999-01-01' })).toBe('2024-11-05')
  })
})

describe('the list of tools', () => {
  it('has those of real servers as recorded, whatever the token may do', async () => {
    const { post } = mcpProgram(await mcpServer(), { scopes: ['nezha:nat:read'] })
    const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const { tools } = (body as { result: { tools: { name: string; description: string }[] } }).result
    for (const expected of recorded('tools-list').response.body.result?.tools ?? []) {
      const tool = tools.find(({ name }) => name === expected.name)
      expect(tool, expected.name).toEqual({ ...expected, description: expect.any(String) })
      expect(tool?.description.length, expected.name).toBeGreaterThan(20)
    }
  })
})
