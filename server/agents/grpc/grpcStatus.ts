/** How a call ended, as gRPC numbers it. */
export const grpcCodes = {
  ok: 0,
  unknown: 2,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const

export interface GrpcStatus {
  /** One of `grpcCodes`. */
  code: number
  /** A sentence that the agent writes into its log. */
  details: string
}

export const okStatus: GrpcStatus = { code: grpcCodes.ok, details: '' }

export const internalError: GrpcStatus = {
  code: grpcCodes.internal,
  details: 'internal error: the log of the server says more',
}

/** Headers that end a call. The text travels percent-encoded. */
export const statusTrailers = ({ code, details }: GrpcStatus) => ({
  'grpc-status': String(code),
  ...(details !== '' && { 'grpc-message': details.toWellFormed().replace(/[^ -~]|%/gu, encodeURIComponent) }),
})
