import type { CallToolResult, McpHttpHandler, Tool as ProtocolTool } from '@modelcontextprotocol/server'
import { listedTools, type McpServices, runNamed, serverInfo } from './handleRequest.ts'
import type { RpcRequest } from './jsonRpc.ts'
import { RpcError } from './jsonRpc.ts'
import { loadSdk } from './protocol.ts'
import type { Caller } from './tools/tool.ts'

/** Answers requests of protocol versions since 2026-07-28 by the SDK: its validation, headers and shapes of results. */
export interface SdkHandler {
  /** @param ended aborted when the client has disconnected */
  answer(request: RpcRequest, caller: Caller, ended: AbortSignal): Promise<Response>
  close(): Promise<void>
}

/** Milliseconds for which clients may keep the list of tools: it changes with the version of this server only. */
const toolsTtlMs = 300_000

export function createSdkHandler(services: McpServices): SdkHandler {
  let handler: Promise<McpHttpHandler> | undefined

  async function create(): Promise<McpHttpHandler> {
    const { createMcpHandler, ProtocolError, Server } = await loadSdk()
    return createMcpHandler(
      ({ authInfo, requestInfo }) => {
        const caller = authInfo?.extra?.caller as Caller
        const server = new Server(serverInfo(services), {
          capabilities: { tools: { listChanged: false } },
          cacheHints: { 'tools/list': { ttlMs: toolsTtlMs, cacheScope: 'private' } },
        })
        server.setRequestHandler('tools/list', () => ({ tools: listedTools(services) as unknown as ProtocolTool[] }))
        server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
          const ended = requestInfo ? AbortSignal.any([mcpReq.signal, requestInfo.signal]) : mcpReq.signal
          try {
            return (await runNamed(params, caller, services, ended)) as CallToolResult
          } catch (error) {
            if (error instanceof RpcError) throw new ProtocolError(error.code, error.message)
            throw error
          }
        })
        return server
      },
      // There is nothing to subscribe to, so that every answer is whole.
      { legacy: 'reject', maxSubscriptions: 0 },
    )
  }

  return {
    async answer({ id, method, params }, caller, ended) {
      handler ??= create()
      const { fetch } = await handler
      const { request, person } = caller
      const { host = 'localhost' } = request.headers
      const message = { jsonrpc: '2.0', ...(id !== undefined && { id }), method, params }
      const { token } = person
      return fetch(new Request(`http://${host}/mcp`, { method: 'POST', headers: headersOf(caller), signal: ended }), {
        parsedBody: message,
        // Nothing behind the guard needs the secret itself.
        authInfo: { token: '', clientId: String(token.id), scopes: [...token.scopes], extra: { caller } },
      })
    },
    async close() {
      await (await handler)?.close()
    },
  }
}

/** The headers of the protocol; the others have been judged before. */
function headersOf({ request }: Caller): Record<string, string> {
  const ofProtocol = Object.entries(request.headers).filter(([name]) => name.startsWith('mcp-'))
  const headers = Object.fromEntries(ofProtocol.map(([name, value]) => [name, String(value)]))
  return { ...headers, accept: String(request.headers.accept ?? '*/*'), 'content-type': 'application/json' }
}
