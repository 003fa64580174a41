import { connect, constants, type IncomingHttpHeaders } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { CheckOf } from '../../../../src/schemas/checks/checks.ts'
import { ClosedWithoutReplyError } from '../../../outbound/failureReason.ts'
import { untilAborted } from '../../../outbound/untilAborted.ts'
import { percentDecoded } from '../../../wire/percentDecoded.ts'
import { openConnection } from '../parts/connection.ts'
import { CheckFailure, type Findings, type Runner } from '../parts/runner.ts'

/** Bytes of a reply, which is two or three. */
const maxBytes = 4096
const path = '/grpc.health.v1.Health/Check'

/** Calls the standard health check of gRPC. */
export const runGrpc: Runner<'grpc'> = async (check, target, context) => {
  const { stream } = await openConnection(target, context, { ...check, alpn: ['h2'] })
  const startedAt = performance.now()
  try {
    const reply = await untilAborted(callOver(stream, check, target, context.userAgent), context.signal)
    context.phases.first_byte = performance.now() - startedAt
    return judge(reply, check.service)
  } finally {
    stream.destroy()
  }
}

interface GrpcReply {
  http: number
  /** The code of gRPC; `undefined` for a reply without one. */
  code: number | undefined
  said: string
  body: Buffer
}

function callOver(stream: Duplex, check: CheckOf<'grpc'>, target: string, userAgent: string): Promise<GrpcReply> {
  return new Promise((resolve, reject) => {
    const scheme = check.tls ? 'https' : 'http'
    const session = connect(`${scheme}://${target}`, {
      createConnection: () => stream,
      settings: { enablePush: false },
    })
    const end = (error: unknown) => {
      reject(error)
      session.destroy()
    }
    session.on('error', end)
    stream.on('error', end)
    stream.once('close', () => end(new ClosedWithoutReplyError()))
    const call = session.request({
      ...Object.fromEntries(Object.entries(check.headers).map(([name, value]) => [name.toLowerCase(), value])),
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: path,
      [constants.HTTP2_HEADER_SCHEME]: scheme,
      [constants.HTTP2_HEADER_TE]: 'trailers',
      [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc',
      'user-agent': userAgent,
    })
    const reply: GrpcReply = { http: 0, code: undefined, said: '', body: Buffer.alloc(0) }
    const note = (headers: IncomingHttpHeaders) => {
      const { 'grpc-status': code, 'grpc-message': said } = headers
      if (typeof code === 'string' && /^\d{1,3}$/.test(code)) reply.code = Number(code)
      if (typeof said === 'string') reply.said = percentDecoded(said)
    }
    call.on('response', (headers) => {
      reply.http = Number(headers[constants.HTTP2_HEADER_STATUS] ?? 0)
      note(headers)
    })
    call.on('trailers', note)
    call.on('data', (bytes: Buffer) => {
      reply.body = Buffer.concat([reply.body, bytes])
      if (reply.body.length > maxBytes) end(new CheckFailure('too_much'))
    })
    call.on('error', end)
    call.on('end', () => {
      resolve(reply)
      session.destroy()
    })
    call.end(request(check.service))
  })
}

/** A message has a byte that says that it is not compressed, and its length before it. */
function request(service: string): Buffer {
  const name = Buffer.from(service)
  // Field 1, a text, whose length is a number in parts of seven bits.
  const message = name.length === 0 ? name : Buffer.concat([Buffer.from([0x0a, ...varint(name.length)]), name])
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)])

/** What a service can be (`grpc.health.v1.HealthCheckResponse`). */
const states = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'] as const

function judge({ http, code, said, body }: GrpcReply, service: string): Findings {
  if (code === undefined) {
    throw new CheckFailure('other_protocol', { wanted: 'gRPC' }, { ...(http > 0 && { code: http }), answer: said })
  }
  if (code !== 0)
    throw new CheckFailure('grpc_code', { said: `${code} ${said}`.trim().slice(0, 200) }, { code, answer: said })
  // The state is field 1; without it, it is 0.
  const state = states[body[5] === 0x08 ? (body[6] ?? 0) : 0] ?? 'UNKNOWN'
  const rule = { rule: 'service', ok: state === 'SERVING', expected: service || 'SERVING', found: state }
  return { code, answer: state, rules: [rule] }
}
