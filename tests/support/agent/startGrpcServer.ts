import { type AddressInfo, createServer } from 'node:net'
import { onTestFinished } from 'vitest'
import type { GrpcCall } from '../../../server/agents/grpc/grpcCall.ts'
import { createGrpcServer, type GrpcLimits, type GrpcServer } from '../../../server/agents/grpc/grpcServer.ts'
import { grpcCodes } from '../../../server/agents/grpc/grpcStatus.ts'
import { createWorkQueue } from '../../../server/concurrency/workQueue.ts'

interface StartedGrpcServer {
  grpc: GrpcServer
  port: number
  /** What handlers have thrown. */
  errors: unknown[]
}

/**
 * A server with the method `/a/B`, on a port of its own, until the test is over.
 * @param serveStream answers what is no call
 */
export async function startGrpcServer(
  handler: (call: GrpcCall) => void,
  limits: Partial<GrpcLimits> = {},
  serveStream?: Parameters<GrpcServer['accept']>[1],
): Promise<StartedGrpcServer> {
  const errors: unknown[] = []
  const grpc = createGrpcServer({
    methods: new Map([['/a/B', handler]]),
    onError: (error) => errors.push(error),
    work: createWorkQueue({ onError: (error) => errors.push(error) }),
    limits,
  })
  const server = createServer((socket) => grpc.accept(socket, serveStream))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    grpc.close({ code: grpcCodes.unavailable, details: '' })
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { grpc, port, errors }
}
