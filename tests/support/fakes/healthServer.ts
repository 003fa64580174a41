import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js'
import { fromJSON, type ServiceDefinition } from '@grpc/proto-loader'
import { onTestFinished } from 'vitest'
import { selfSigned } from '../server/certificates/selfSigned.ts'

const text = { type: 'string', id: 1 }
const values = { UNKNOWN: 0, SERVING: 1, NOT_SERVING: 2, SERVICE_UNKNOWN: 3 }
const messages = {
  HealthCheckRequest: { fields: { service: text } },
  HealthCheckResponse: { fields: { status: { type: 'ServingStatus', id: 1 } }, nested: { ServingStatus: { values } } },
  Health: {
    methods: { Check: { requestType: 'HealthCheckRequest', responseType: 'HealthCheckResponse', comment: '' } },
  },
}
const packages = fromJSON({
  nested: { grpc: { nested: { health: { nested: { v1: { nested: messages } } } } } },
})
const health = packages['grpc.health.v1.Health'] as ServiceDefinition

/**
 * A gRPC server with the standard health check, which ends with the test. It knows these services; it wants the
 * metadata `authorization` where a token is given.
 * @returns its port
 */
export async function startHealth(
  states: Readonly<Record<string, keyof typeof values>>,
  { isTls = false, token = '' } = {},
): Promise<number> {
  const server = new Server()
  server.addService(health, {
    Check({ request, metadata }: ServerUnaryCall<{ service?: string }, object>, reply: sendUnaryData<object>) {
      const [given = ''] = metadata.get('authorization')
      if (given !== token) return reply({ code: status.UNAUTHENTICATED, details: 'who is thät?' })
      const state = states[request.service ?? '']
      if (!state) return reply({ code: status.NOT_FOUND, details: 'unknown service' })
      reply(null, { status: state })
    },
  })
  const key = { private_key: Buffer.from(selfSigned.key), cert_chain: Buffer.from(selfSigned.cert) }
  const credentials = isTls ? ServerCredentials.createSsl(null, [key]) : ServerCredentials.createInsecure()
  onTestFinished(() => server.forceShutdown())
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', credentials, (error, port) => (error ? reject(error) : resolve(port)))
  })
}
