import { type GrpcStatus, grpcCodes } from './grpc/grpcStatus.ts'

/** Why a call of an agent is refused. The agent writes the text into its log and tries again after ten seconds. */
export class AgentRefusal extends Error {
  readonly status: GrpcStatus

  constructor(details: string, code: number = grpcCodes.unauthenticated) {
    super(details)
    this.status = { code, details }
  }
}
