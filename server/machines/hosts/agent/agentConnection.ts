/** Kinds of tasks that a server sends to an agent (docs/contract/AGENT.md#6-task-types). */
export const taskTypes = {
  probeHttp: 1,
  probeIcmp: 2,
  probeTcp: 3,
  command: 4,
  update: 6,
  keepalive: 7,
  terminal: 8,
  nat: 9,
  files: 11,
  reportConfig: 12,
  applyConfig: 13,
  changeSecret: 14,
  exec: 15,
  listFolder: 16,
  readFile: 17,
  writeFile: 18,
  deleteFile: 19,
  transferFile: 20,
} as const

/** What an agent is asked to do. */
export interface AgentTask {
  /** One of `taskTypes`. */
  type: number
  /** Plain text or JSON, by type. At most 4 MiB. */
  data?: string
}

/** How a task went. */
export interface AgentResult {
  /** Milliseconds for probes, seconds for commands. */
  delay: number
  data: string
  successful: boolean
}

/** Tasks that make the agent open a stream: terminal, NAT, files, and the transfer of one file. */
export type StreamTaskType = (typeof taskTypes)['terminal' | 'nat' | 'files' | 'transferFile']

/** The key of the stream's id in the data of a task. */
export const streamIdKey = (type: StreamTaskType) => (type === taskTypes.transferFile ? 'stream_id' : 'StreamID')

/** The way to one agent (docs/contract/AGENT.md). It stays the same object when the agent reconnects. */
export interface AgentConnection {
  readonly uuid: string
  /** Whether a task stream is open, so that tasks can be sent. */
  canReceiveTasks(): boolean
  /** Sends a task whose result is of no interest. @returns false when no task stream is open */
  send(task: AgentTask): boolean
  /**
   * Sends a task and waits for its result. Every request gets an id of its own, which agents copy into the result.
   * @param options.timeoutMs milliseconds
   * @throws AgentTimeout, AgentGone, or the reason of `signal`
   */
  request(task: AgentTask, options: { timeoutMs: number; signal?: AbortSignal }): Promise<AgentResult>
  /**
   * Sends a task with a new stream id and waits until the agent opens that stream.
   * @param data what the task needs besides the id, as `{ Host: '127.0.0.1:80' }` for NAT
   * @throws AgentTimeout after ten seconds (an agent that has this switched off stays silent), AgentGone, or the reason
   *   of `signal`
   */
  openStream(type: StreamTaskType, data: object, signal?: AbortSignal): Promise<AgentStream>
}

/** A stream that an agent has opened. Keepalives are handled inside. */
export interface AgentStream {
  /** Sets the only listener for frames. Frames before it wait under the flow control of HTTP/2. */
  onFrame(listener: (bytes: Uint8Array) => void): void
  /** Calls `listener` once, after the last frame; at once when the stream has ended. */
  onEnd(listener: () => void): void
  /**
   * Sends a frame of at most 1 MiB.
   * @returns false when the caller should wait for `onDrain`
   */
  write(frame: Uint8Array): boolean
  /** Calls `listener` each time when what was written has left, after a `write` that returned false. */
  onDrain(listener: () => void): void
  /** Bytes that were written and have not left yet. */
  pendingBytes(): number
  /** Stops reading; a few frames that have arrived may still come. The agent stops when its window is full. */
  pause(): void
  resume(): void
  /** Ends it with status OK; the agent then ends its side. */
  end(): void
}

/** The agent did not answer in time. */
export class AgentTimeout extends Error {}

/** The agent has no open task stream, or its connection ended before it answered. */
export class AgentGone extends Error {}

/** The agent has no open task stream: it has not been asked, and does nothing. */
export class AgentNotConnected extends AgentGone {}
