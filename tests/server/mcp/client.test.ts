import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addHost, mcpProgram, mcpServer } from '../../support/server/mcpServer.ts'

/** The client of the protocol's own SDK, as other programs have it. @param mode how it finds the version */
async function connect(versionNegotiation?: { mode: 'legacy' | 'auto' | { pin: string } }) {
  const server = await mcpServer()
  addHost(server)
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  const program = mcpProgram(server)
  const client = new Client({ name: 'test', version: '1' }, versionNegotiation && { versionNegotiation })
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${program.secret}` } },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return { server, client }
}

describe.each([
  ['of before 2026-07-28', { mode: 'legacy' as const }, '2025-11-25'],
  ['of 2026-07-28', { mode: { pin: '2026-07-28' } }, '2026-07-28'],
])("the SDK's own client, with the protocol %s,", (_name, negotiation, version) => {
  it('connects, lists the tools and calls them; their results fit their schemas', async () => {
    const { client } = await connect(negotiation)
    expect(client.getServerVersion()).toMatchObject({ name: 'wheelhouse', version: '1.2.3' })
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['meta.whoami', 'server.exec', 'cron.list']))
    // It compares each result with the schema of its tool.
    expect(await client.callTool({ name: 'meta.whoami', arguments: {} })).toMatchObject({
      structuredContent: { user_id: 1, scopes: ['nezha:*'] },
    })
    expect(await client.callTool({ name: 'server.list', arguments: {} })).toMatchObject({
      structuredContent: { count: 1, servers: [{ name: 'pleasant-pug', online: true }] },
    })
    expect(
      await client.callTool({ name: 'server.exec', arguments: { server_id: 1, cmd: 'echo', args: ['hi'] } }),
    ).toMatchObject({ structuredContent: { exit_code: 0, stdout: 'hi\n' } })
    expect(await client.callTool({ name: 'user.list', arguments: {} })).toMatchObject({
      structuredContent: { total: 2 },
    })
    expect(await client.callTool({ name: 'fs.read', arguments: { server_id: 1, path: '/no/such' } })).toMatchObject({
      isError: true,
      content: [{ text: 'file or directory does not exist' }],
    })
    await expect(client.callTool({ name: 'no.such.tool', arguments: {} })).rejects.toThrow('unknown tool: no.such.tool')
  })
})

describe("the SDK's own client", () => {
  it('ends a call that nobody waits for any more', async () => {
    const { server, client } = await connect()
    const impatient = new AbortController()
    const call = client.callTool(
      { name: 'server.exec', arguments: { server_id: 1, cmd: 'sleep', args: ['250'], timeout_seconds: 280 } },
      { signal: impatient.signal },
    )
    call.catch(() => {})
    impatient.abort()
    await expect(call).rejects.toThrow()
    const outcomes = async () =>
      (await server.app.audit.read(0, 20)).rows.filter(({ action }) => action === 'mcp.server.exec')
    // It may have given up before the call had begun.
    await client.callTool({ name: 'meta.whoami', arguments: {} })
    await expect.poll(async () => (await outcomes()).every(({ detail }) => detail?.outcome === 'cancelled')).toBe(true)
  })
})
