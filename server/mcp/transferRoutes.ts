import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorCode } from '../../src/domain/errors.ts'
import { fieldsIn } from '../../src/schemas/define/values.ts'
import type { ServerRow } from '../entities/entityTable.ts'
import { type HostOperations, OperationError, operationLimits } from '../machines/hosts/operations.ts'
import type { Machines } from '../machines/machines.ts'
import { may } from '../person.ts'
import type { CallServices } from './callTool.ts'
import { type ServerRows, ToolFailure } from './tools/tool.ts'
import type { Direction, OneTimeUrls, Transfer } from './tools/urlTools.ts'

export interface TransferServices extends Pick<CallServices, 'audit' | 'running' | 'now' | 'log' | 'isAlive'> {
  urls: OneTimeUrls
  servers: ServerRows
  machines: Pick<Machines, 'connected'>
}

/** Milliseconds that a transfer may last. */
const transferMs = 600_000

type TransferRequest = FastifyRequest<{ Params: { name: string }; Querystring: { sha256?: string } }>

/** Why a transfer is refused; the answer is plain text. */
class TransferRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The one-time URLs (docs/contract/MCP.md#6-one-time-urls). */
export function registerTransferRoutes(app: FastifyInstance, services: TransferServices): void {
  const { urls, servers, machines, running, isAlive, audit, now, log } = services

  /** @throws TransferRefusal when the URL is not valid, or its person could not get it any more */
  function take(name: string, direction: Direction): Transfer {
    const transfer = urls.take(name)
    if (!transfer) throw new TransferRefusal(401, 'invalid or already-used transfer token')
    if (transfer.direction !== direction) throw new TransferRefusal(401, 'transfer token direction mismatch')
    if (transfer.expiresAt <= now()) throw new TransferRefusal(401, 'transfer token expired')
    const problem = problemOf(transfer)
    if (problem) throw new TransferRefusal(401, problem.message)
    return transfer
  }

  function problemOf({ caller, serverId, ownerId }: Transfer): ToolFailure | undefined {
    if (!isAlive(caller)) return new ToolFailure('permission_denied', 'the api token is not valid any more')
    const row = servers.get(serverId)
    const isSame = row?.user_id === ownerId && may(caller.person, 'act', row, [serverId])
    return isSame ? undefined : new ToolFailure('permission_denied', 'permission denied')
  }

  function operationsOf({ serverId }: Transfer): HostOperations {
    const host = machines.connected(servers.get(serverId) as ServerRow)
    if (!host) throw new TransferRefusal(502, 'server offline')
    return host.operations
  }

  /**
   * The content of an upload. It is judged again when all of it has come, before its last part goes on, with which an agent
   * puts the file in place. @throws ToolFailure
   */
  async function* judgedAtItsEnd(content: AsyncIterable<Uint8Array>, transfer: Transfer): AsyncIterable<Uint8Array> {
    let last: Uint8Array | undefined
    for await (const chunk of content) {
      if (last) yield last
      last = chunk
    }
    const problem = problemOf(transfer)
    if (problem) throw problem
    if (last) yield last
  }

  /** Carries out a transfer, and records how it went. */
  async function run(
    request: TransferRequest,
    reply: FastifyReply,
    direction: Direction,
    work: (transfer: Transfer, signal: AbortSignal) => Promise<number>,
  ): Promise<FastifyReply> {
    let transfer: Transfer | undefined
    const began = now()
    const record = (detail: Record<string, string | number>) => {
      if (!transfer) return
      const { caller, serverId, path } = transfer
      const { address } = request
      const target = `server ${serverId}`
      const more = { path, ...detail, ms: now() - began }
      audit.write({ action: `mcp.fs.${direction}`, person: caller.person, address, target, detail: more })
    }
    try {
      const taken = take(request.params.name, direction)
      transfer = taken
      const bytes = await running.run(
        taken.caller.person,
        () => problemOf(taken),
        (signal) => work(taken, AbortSignal.any([signal, AbortSignal.timeout(transferMs)])),
      )
      record({ outcome: 'ok', bytes })
      return reply
    } catch (error) {
      // A machine may say in words of its own that it was broken off.
      const refusal = refusalOf((transfer && problemOf(transfer)) ?? error)
      if (!refusal) log.error(`A transfer by URL failed:`, error)
      const { status, message } = refusal ?? new TransferRefusal(502, 'the transfer failed')
      record({ outcome: 'failed', error: message.slice(0, maxErrorLength) })
      // A reply that has begun can only be broken off.
      if (reply.raw.headersSent) {
        reply.raw.destroy()
        return reply
      }
      return reply.code(status).type('text/plain; charset=utf-8').send(message)
    }
  }

  app.route({
    method: 'GET',
    url: '/mcp/download/:name',
    exposeHeadRoute: false,
    schema: { hide: true },
    handler: (request: TransferRequest, reply) =>
      run(request, reply, 'download', async (transfer, signal) => {
        const { size, content } = await operationsOf(transfer).download(transfer.path, signal)
        const stop = () => void content.destroy(signal.reason)
        signal.addEventListener('abort', stop, { once: true })
        reply.header('content-length', size).type('application/octet-stream')
        reply.send(content)
        await reply
        signal.removeEventListener('abort', stop)
        signal.throwIfAborted()
        return size
      }),
  })

  app.register(async (scope) => {
    // The content goes on as it comes; how long it may be is checked below.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', (_request, content, done) => done(null, content))
    scope.route({
      method: 'POST',
      url: '/mcp/upload/:name',
      schema: { hide: true },
      handler: (request: TransferRequest, reply) =>
        run(request, reply, 'upload', async (transfer, signal) => {
          const { sha256 = '' } = request.query
          const size = lengthOf(request)
          if (sha256 !== '' && !/^[\da-f]{64}$/i.test(String(sha256))) {
            throw new TransferRefusal(400, 'sha256 must be 64 hex chars')
          }
          const { path, options } = transfer
          const expected = sha256 && { expected_sha256: String(sha256).toLowerCase() }
          const content = judgedAtItsEnd((request.body ?? []) as AsyncIterable<Uint8Array>, transfer)
          const stored = await operationsOf(transfer).upload({ path, size, ...options, ...expected }, content, signal)
          reply.send(stored)
          return stored.size
        }),
    })
  })
}

/** Characters of an error in the audit log. */
const maxErrorLength = 512

/** @throws TransferRefusal */
function lengthOf({ headers }: FastifyRequest): number {
  const length = headers['content-length']
  if (length === undefined) throw new TransferRefusal(411, 'Content-Length required')
  if (Number(length) > operationLimits.transferBytes) {
    throw new TransferRefusal(413, 'body exceeds MCP transfer cap (100MiB)')
  }
  return Number(length)
}

/** `undefined` for a fault of this server. */
function refusalOf(error: unknown): TransferRefusal | undefined {
  if (error instanceof TransferRefusal) return error
  if (error instanceof OperationError) {
    return new TransferRefusal(502, error.failure === 'offline' ? 'server offline' : error.message)
  }
  if (error instanceof ToolFailure) return new TransferRefusal(error.outcome === 'too_many' ? 429 : 401, error.message)
  // The visitor went, or took too long.
  const [code, { name }] = [errorCode(error), fieldsIn(error)]
  return code?.startsWith('ERR_STREAM') || code === 'ECONNRESET' || name === 'TimeoutError' || name === 'AbortError'
    ? new TransferRefusal(502, 'the transfer was broken off')
    : undefined
}
