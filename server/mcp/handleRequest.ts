import { fieldsIn, isObject } from '../../src/schemas/define/values.ts'
import { ApiError } from '../wire/apiCall.ts'
import { readFields } from '../wire/readFields.ts'
import { type CallServices, callTool, type ToolResult } from './callTool.ts'
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

/** Codes of JSON-RPC errors (docs/contract/MCP.md#3-json-rpc). */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  unauthorized: -32001,
  refused: -32002,
} as const

/** A request that is answered with an error of JSON-RPC. */
export class RpcError extends Error {
  readonly code: number
  /** HTTP status of the answer. */
  readonly status: number

  constructor(code: number, message: string, status = 200) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** A request. One without an id, a notification by the protocol, is answered too. */
export interface RpcRequest {
  /** `undefined` when there is none. */
  id: unknown
  method: string
  params: unknown
}

/** Where a body is no request: its id, if that could be read. */
export interface BrokenRequest {
  id: unknown
  error: RpcError
}

const envelope = {
  jsonrpc: { kind: 'string' },
  id: { kind: 'any' },
  method: { kind: 'string' },
  params: { kind: 'any' },
} as const

/** Reads one request; the text after it and unknown keys are ignored, as on real servers. */
export function readRequest(text: unknown): RpcRequest | BrokenRequest {
  try {
    const { jsonrpc, id, method, params } = readFields(text, 'Request', envelope)
    const given = id ?? undefined
    if (jsonrpc !== '2.0' || !method) {
      return { id: given, error: new RpcError(errorCodes.invalidRequest, 'invalid json-rpc envelope') }
    }
    return { id: given, method, params }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return {
      id: undefined,
      error: new RpcError(errorCodes.parse, `invalid json-rpc envelope: ${reasonOf(text, error)}`),
    }
  }
}

/** A batch of requests gets the error of a parser that expects an object. */
const reasonOf = (text: unknown, { message }: ApiError) =>
  String(text).trimStart().startsWith('[') ? "invalid character '[' looking for beginning of object" : message

/** The body of an answer; `id` is left out when the request has none. */
export const answer = (id: unknown, result: object) => ({ jsonrpc: '2.0', ...(id !== undefined && { id }), result })

export const failure = (id: unknown, { code, message }: RpcError) => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  error: { code, message },
})

/** The version that real servers speak, whatever they are asked for (docs/contract/MCP.md#3-json-rpc). */
const oldestVersion = '2024-11-05'
/** The only version with batches of requests, which real servers refuse. */
const withBatches = '2025-03-26'

/** Where a request of a later version names its own, instead of at the beginning. */
const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** The protocol's SDK, read when a client first comes: nobody else should wait for it or have it in memory. */
export const loadSdk = () => import('@modelcontextprotocol/server')

/** The version of a conversation: the one that a client asks for where the SDK knows it, or the oldest. */
async function negotiatedVersion(params: unknown): Promise<string> {
  const asked = fieldsIn(params).protocolVersion
  if (typeof asked !== 'string') return oldestVersion
  const { SUPPORTED_PROTOCOL_VERSIONS } = await loadSdk()
  const isSpoken = asked !== withBatches && SUPPORTED_PROTOCOL_VERSIONS.includes(asked)
  return isSpoken ? asked : oldestVersion
}

/** Whether a request names its protocol version itself, as since 2026-07-28: the SDK answers those. */
export function namesItsVersion(params: unknown): boolean {
  return Object.hasOwn(fieldsIn(fieldsIn(params)._meta), versionKey)
}
