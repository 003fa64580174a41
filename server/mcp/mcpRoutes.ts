import { Transform } from 'node:stream'
import type { CallToolResult, McpHttpHandler, Tool as ProtocolTool } from '@modelcontextprotocol/server'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { bodyLimits } from '../../src/schemas/define/endpoint.ts'
import { authenticateToken } from '../auth/apiTokens.ts'
import { findPersonAgain } from '../auth/guard.ts'
import { requireSetup } from '../auth/secondFactor/reauthentication.ts'
import { readOutBody } from '../http/requestLimits.ts'
import type { ApiError } from '../wire/apiCall.ts'
import { createCallRate } from './callRate.ts'
import {
  accepted,
  answer,
  errorCodes,
  failure,
  handleRequest,
  listedTools,
  loadSdk,
  type McpServices,
  namesItsVersion,
  RpcError,
  type RpcRequest,
  readRequest,
  runNamed,
  serverInfo,
} from './handleRequest.ts'
import { type Caller, switchedOffMessage } from './tools/tool.ts'

const postOnly = 'MCP endpoint only accepts POST (Streamable HTTP without standalone SSE / sessions)'
const rateMessage = 'rate limit exceeded for this token'
/**
 * Bytes of a body that is read although its call is beyond the rate, so that the answer has the id and the form of its
 * request. Longer ones are refused unread.
 */
const readBeyondRate = 16 * 1024

/**
 * The endpoint itself, with its checks in the order of the contract (docs/contract/MCP.md#2-order-of-the-checks).
 * @returns a function that ends the running calls
 */
export function registerMcpRoutes(app: FastifyInstance, services: McpServices): () => Promise<void> {
  const { auth } = app
  const rate = createCallRate(services.now)
  const sdk = createSdkHandler(services)
  /** Requests beyond the rate. */
  const refused = new WeakSet<FastifyRequest>()

  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    exposeHeadRoute: false,
    schema: { hide: true },
    handler: (_request, reply) => reply.code(405).header('allow', 'POST').send({ error: postOnly }),
  })

  /** Answers who may not call. Runs before the body is read, so that bodies of strangers are not. */
  function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
    const hasToken = authenticateToken(auth, request)
    if (!services.isEnabled()) {
      return reply.send(failure(undefined, new RpcError(errorCodes.refused, switchedOffMessage)))
    }
    const { person } = request
    if (!hasToken || !person?.token) {
      return reply
        .code(401)
        .send(failure(undefined, new RpcError(errorCodes.unauthorized, 'missing or invalid API token')))
    }
    requireSetup(auth, person)
    request.judgeAgain = () => findPersonAgain(auth, request)
    const bytes = announcedBytes(request)
    if (rate.take({ tokenId: person.token.id, personId: person.id }, bytes ?? 0)) return undefined
    if (bytes !== undefined && bytes > readBeyondRate) return reply.send(failure(undefined, overRate(reply)))
    refused.add(request)
    return undefined
  }

  /** A body whose length is not said counts by what comes of it. */
  function countBody(request: FastifyRequest, payload: RequestPayload): RequestPayload {
    const { person } = request
    if (!person || announcedBytes(request) !== undefined) return payload
    let received = 0
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, callback) {
        received += chunk.length
        const isWithin = rate.takeBytes(person.id, chunk.length)
        const mayGoOn = refused.has(request) ? received <= readBeyondRate : isWithin
        if (mayGoOn) callback(null, chunk)
        else callback(new RpcError(errorCodes.refused, rateMessage, 429))
      },
    })
    // Whoever read it has stopped to listen where the body was refused meanwhile, and nobody else may hear of its error.
    counted.on('error', () => {})
    // Not `pipeline`, which would end the connection before the answer.
    payload.once('error', (error) => counted.destroy(error))
    return payload.pipe(counted)
  }

  app.route({
    method: 'POST',
    url: '/mcp',
    schema: { hide: true },
    bodyLimit: bodyLimits.mcp,
    config: { savesNothing: true },
    // Without `done` after an answer, nobody else acts on the request.
    onRequest: (request, reply, done) => void (refuse(request, reply) ?? done()),
    preParsing: (request, _reply, payload, done) => done(null, countBody(request, payload)),
    errorHandler: refuseBody,
    async handler(request, reply) {
      const caller = { person: request.person, address: request.address, request } as Caller
      const message = readRequest(request.body)
      const isRefused = refused.has(request)
      if ('error' in message) return reply.send(failure(message.id, isRefused ? overRate(reply) : message.error))
      if (isRefused) return refuseRate(message.id, message.method, reply)
      const ended = endOf(reply)
      if (namesItsVersion(message.params)) return sendResponse(reply, await sdk.answer(message, caller, ended))
      try {
        const result = await handleRequest(message, caller, services, ended)
        return result === accepted ? reply.code(202).send() : reply.send(answer(message.id, result))
      } catch (error) {
        if (error instanceof RpcError) return reply.code(error.status).send(failure(message.id, error))
        throw error
      }
    },
  })
  return sdk.close
}

/** `undefined` for a body whose length is not said. */
function announcedBytes({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Math.min(Number(length), bodyLimits.mcp)
}

function overRate(reply: FastifyReply): RpcError {
  reply.code(429)
  return new RpcError(errorCodes.refused, rateMessage)
}

/** A call of a tool gets a result, so that a program reads why. */
function refuseRate(id: unknown, method: string, reply: FastifyReply): FastifyReply {
  if (method !== 'tools/call') return reply.send(failure(id, overRate(reply)))
  const structuredContent = { error: rateMessage, error_code: 'rate_limited' }
  return reply.send(answer(id, { content: [{ type: 'text', text: rateMessage }], structuredContent, isError: true }))
}

/** A body that is too long looks to real servers like one that ends too early. */
function refuseBody(error: FastifyError | ApiError | RpcError, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof RpcError) {
    readOutBody(request, reply)
    return reply.code(error.status).send(failure(undefined, error))
  }
  if ('code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    readOutBody(request, reply)
    const message = `invalid json-rpc envelope: unexpected end of JSON input (at most ${bodyLimits.mcp} bytes)`
    return reply.code(200).send(failure(undefined, new RpcError(errorCodes.parse, message)))
  }
  throw error
}

/** Aborted when the client disconnects before it has its answer. */
function endOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => raw.writableFinished || controller.abort())
  return controller.signal
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status)
  response.headers.forEach((value, name) => void reply.header(name, value))
  return reply.send(response.body ? Buffer.from(await response.arrayBuffer()) : undefined)
}

/** Answers requests of protocol versions since 2026-07-28 by the SDK: its validation, headers and shapes of results. */
interface SdkHandler {
  /** @param ended aborted when the client has disconnected */
  answer(request: RpcRequest, caller: Caller, ended: AbortSignal): Promise<Response>
  close(): Promise<void>
}

/** Milliseconds for which clients may keep the list of tools: it changes with the version of this server only. */
const toolsTtlMs = 300_000

function createSdkHandler(services: McpServices): SdkHandler {
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
