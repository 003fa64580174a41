import { ApiError } from '../wire/apiError.ts'
import { readFields } from '../wire/readFields.ts'

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
