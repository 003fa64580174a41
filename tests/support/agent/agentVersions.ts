/** The agents that were recorded (docs/contract/AGENT.md#11-older-agents). */
export type AgentVersion = keyof typeof versions

/** In what the versions of the agent differ. Times are milliseconds. */
export interface AgentTraits {
  userAgent: string
  /** Whether `client-secret` and `client-uuid` are sent beside the names with an underscore. */
  sendsHyphenNames: boolean
  /** Deadlines of the first call of a connection and of the other unary calls; none when missing. */
  deadlines: { first: number; later?: number }
  /** Reconnects when no task came for 30 s, or no receipt within 10 s. */
  needsKeepalive: boolean
  /** Exec, files by message and transfers: the types 14 to 20. */
  knowsNewTasks: boolean
  /** Whether the result of a task 13 says if the settings were accepted. */
  answersConfig: boolean
  /** On a reload: half-closes the stream of states and waits for its end, instead of cancelling both streams at once. */
  endsGracefully: boolean
  /** Names the path when a file cannot be opened for download. */
  namesPathInErrors: boolean
  /** Refuses URLs of other schemes by itself. */
  checksScheme: boolean
  /** Bytes of a terminal's frame. */
  terminalFrameBytes: number
}

const old = {
  sendsHyphenNames: false,
  deadlines: { first: 5000 },
  needsKeepalive: true,
  knowsNewTasks: false,
  answersConfig: false,
  endsGracefully: false,
  namesPathInErrors: true,
  checksScheme: false,
  terminalFrameBytes: 10_240,
}

export const versions = {
  '2.3.3': {
    userAgent: 'grpc-go/1.83.0',
    sendsHyphenNames: true,
    deadlines: { first: 10_000, later: 10_000 },
    needsKeepalive: false,
    knowsNewTasks: true,
    answersConfig: true,
    endsGracefully: true,
    namesPathInErrors: false,
    checksScheme: true,
    terminalFrameBytes: 32_768,
  },
  '1.14.4': { userAgent: 'grpc-go/1.78.0', ...old },
  '1.9.7': { userAgent: 'grpc-go/1.64.1', ...old },
} satisfies Record<string, AgentTraits>
