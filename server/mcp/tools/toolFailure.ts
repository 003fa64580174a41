/** How a call ended, as the audit log has it (docs/contract/MCP.md#7-audit). */
export type Outcome =
  | 'ok'
  | 'scope_denied'
  | 'permission_denied'
  | 'server_offline'
  | 'agent_timeout'
  | 'agent_error'
  | 'mcp_disabled'
  | 'invalid_args'
  | 'unsupported_agent'
  | 'cancelled'
  | 'too_many'

/** A call that failed; its message is the answer (docs/contract/MCP.md#4-tool-results). */
export class ToolFailure extends Error {
  readonly outcome: Outcome
  readonly structured: object | undefined

  constructor(outcome: Outcome, message: string, structured?: object) {
    super(message)
    this.outcome = outcome
    this.structured = structured
  }
}

export const denied = () => new ToolFailure('permission_denied', 'permission denied')
export const offline = () => new ToolFailure('server_offline', 'agent offline')
export const badArgument = (message: string) => new ToolFailure('invalid_args', message)
export const switchedOffMessage = 'MCP is disabled by the dashboard administrator'
export const switchedOffFailure = () => new ToolFailure('mcp_disabled', switchedOffMessage)
/** The token was deleted or has expired. */
export const cancelledFailure = () => new ToolFailure('cancelled', 'context canceled')
