import { isObject } from '../../src/schemas/define/values.ts'
import { type CallServices, callTool, type ToolResult } from './callTool.ts'
import { errorCodes, RpcError, type RpcRequest } from './jsonRpc.ts'
import { negotiatedVersion } from './protocol.ts'
import type { Caller, Tool } from './tools/tool.ts'

export interface McpServices extends CallServices {
  isEnabled(): boolean
  /** By name, in the order of `tools/list`. */
  tools: ReadonlyMap<string, Tool>
  /** Version of this server. */
  version: string
}

/** What is answered without a body. */
export const accepted = Symbol('accepted')

/**
 * Carries out a request of a protocol version that begins with `initialize` (docs/contract/MCP.md#3-json-rpc).
 * @throws RpcError
 */
export async function handleRequest(
  { id, method, params }: RpcRequest,
  caller: Caller,
  services: McpServices,
  ended: AbortSignal,
): Promise<object | typeof accepted> {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: await negotiatedVersion(params),
        capabilities: { tools: { listChanged: false } },
        serverInfo: serverInfo(services),
      }
    case 'notifications/initialized':
    case 'ping':
      return id === undefined ? accepted : {}
    case 'tools/list':
      return { tools: listedTools(services) }
    case 'tools/call':
      return runNamed(params, caller, services, ended)
    default:
      throw new RpcError(errorCodes.methodNotFound, `method not supported: ${method.slice(0, maxNameLength)}`)
  }
}

/** Characters of a name that is repeated in an error. */
const maxNameLength = 128

export const serverInfo = ({ version }: Pick<McpServices, 'version'>) => ({ name: 'wheelhouse', version })

export const listedTools = ({ tools }: Pick<McpServices, 'tools'>) =>
  [...tools.values()].map(({ name, description, inputSchema, outputSchema }) => ({
    name,
    description,
    inputSchema,
    outputSchema,
  }))

/** @throws RpcError when no tool is named, or an unknown one */
export async function runNamed(
  params: unknown,
  caller: Caller,
  services: McpServices,
  ended: AbortSignal,
): Promise<ToolResult> {
  const { name, args } = readCall(params)
  const tool = services.tools.get(name)
  if (!tool) throw new RpcError(errorCodes.methodNotFound, `unknown tool: ${name.slice(0, maxNameLength)}`)
  return callTool(tool, args, caller, services, ended)
}

function readCall(params: unknown): { name: string; args: unknown } {
  const given = params ?? {}
  if (!isObject(given)) {
    throw new RpcError(errorCodes.invalidParams, 'invalid arguments: params must be an object')
  }
  const { name = '', arguments: args } = given
  if (name !== null && typeof name !== 'string') {
    throw new RpcError(errorCodes.invalidParams, 'invalid arguments: name must be a string')
  }
  if (!name) throw new RpcError(errorCodes.invalidParams, 'tool name required')
  return { name, args }
}
