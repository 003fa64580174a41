import { z } from 'zod'
import { limits } from '../define/limits.ts'
import { defineCheck, headerMap, optionalText } from './checkKind.ts'

/** A gRPC server with the standard health check (`grpc.health.v1.Health`). */
export const grpcCheck = defineCheck({
  target: 'host_port',
  type: 3,
  secrets: [['headers', '*']],
  schema: z.object({
    kind: z.literal('grpc'),
    /** The name of a service. Empty: the server as a whole. */
    service: optionalText(limits.shortText),
    /** Metadata of the call, such as `authorization`. */
    headers: headerMap(),
    tls: z.boolean().default(false),
    verify_tls: z.boolean().default(true),
  }),
})
