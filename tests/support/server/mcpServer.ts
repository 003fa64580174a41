import { expect, onTestFinished } from 'vitest'
import type { NewApiToken } from '../../../server/auth/apiTokens.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { readSite, writeSite } from '../../../server/site/site.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { testAgentServer } from '../agent/testAgentServer.ts'
import type { Reply } from '../console/browser.ts'
import { programWith } from './auth/apiToken.ts'
import { createTestHost, type TestHost } from './testHost.ts'
import { type TestServer, testServer } from './testServer.ts'

export interface ToolReply {
  content: [{ type: string; text: string }]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

/** A program that speaks the Model Context Protocol, with an API token. */
export interface McpProgram {
  id: number
  secret: string
  /** Sends a body as it is, or as JSON. */
  post(body: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Calls a tool. @returns the `result` */
  tool(name: string, args?: unknown): Promise<ToolReply>
}

let lastId = 0

/** @param given a token of the administrator that may do everything, by default */
export function mcpProgram(server: TestServer, given: Partial<NewApiToken> = {}, address?: string): McpProgram {
  const { id, secret } = programWith(server, given)
  const post: McpProgram['post'] = (body, headers = {}) =>
    server.browser(address).call('POST', '/mcp', { body, headers: { authorization: `Bearer ${secret}`, ...headers } })
  return {
    id,
    secret,
    post,
    async tool(name, args) {
      lastId++
      const params = { name, arguments: args }
      const reply = await post({ jsonrpc: '2.0', id: lastId, method: 'tools/call', params })
      const { result } = reply.body as { result?: ToolReply }
      if (!result) throw new Error(`${name} was answered with ${reply.status} ${reply.text}`)
      return result
    },
  }
}

/** Calls tools with a token each, so that the limit of calls is no concern. */
export function mcpPrograms(server: TestServer, given: Partial<NewApiToken> = {}) {
  return {
    tool: (...call: Parameters<McpProgram['tool']>) => mcpProgram(server, given).tool(...call),
    /** Calls a tool that has to succeed. */
    async value(...call: Parameters<McpProgram['tool']>) {
      const { structuredContent, content, isError } = await mcpProgram(server, given).tool(...call)
      expect(isError, content[0].text).toBeUndefined()
      expect(JSON.parse(content[0].text)).toEqual(structuredContent)
      return structuredContent as Record<string, unknown>
    },
  }
}

/** The reply of a tool that has failed. */
export const mcpFailure = (text: string) => ({ content: [{ type: 'text', text }], isError: true })

/** Sets the setting as administrators do, but without their call. */
export function turnMcp(server: Pick<TestServer, 'store'>, enable_mcp: boolean): void {
  writeSite(server.store, { ...readSite(server.store), enable_mcp })
}

/** A server with the endpoint turned on, and no machines. */
export async function mcpServer(): Promise<TestServer> {
  const server = await testServer({ machines: createMachines })
  onTestFinished(() => server.app.close())
  turnMcp(server, true)
  return server
}

/** As `mcpServer`, on a port to which agents connect, with a machine of its own. @param dist folder of a built console */
export async function mcpMachines(dist?: string) {
  const server = await testAgentServer(undefined, undefined, { dist })
  turnMcp(server, true)
  const host = addHost(server)
  const rows = entityTable(server.store, serverEntity)
  return { ...server, host, idOfHost: rows.find({ uuid: 'machine-1' })[0]?.id as number }
}

/** Adds a machine that has reported once. */
export function addHost({ app, clock }: TestServer, given?: Parameters<typeof createTestHost>[0]): TestHost {
  const host = createTestHost(given)
  app.machines.add(host)
  host.report({ at: new Date(clock.now), host: { platform: 'debian', arch: 'x86_64' }, ip: { ipv4_addr: '127.0.0.1' } })
  return host
}
