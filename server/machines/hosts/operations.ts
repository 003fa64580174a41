import type { Readable } from 'node:stream'

/**
 * Programs and files of a machine for callers that are programs themselves. Orders and results have the names of the
 * wire (docs/contract/AGENT.md#93-transfer-exec-fs, docs/contract/MCP.md#5-tools). Every order ends when its signal
 * does; one that an agent has received cannot be called back.
 */
export interface HostOperations {
  /** Runs one program, without a shell. @throws OperationError when it is not known whether it ran */
  exec(order: ExecOrder, signal: AbortSignal): Promise<ExecResult>
  /** @throws OperationError, as the others */
  list(order: ListOrder, signal: AbortSignal): Promise<ListResult>
  read(order: ReadOrder, signal: AbortSignal): Promise<ReadResult>
  write(order: WriteOrder, signal: AbortSignal): Promise<WriteResult>
  remove(order: RemoveOrder, signal: AbortSignal): Promise<RemoveResult>
  /** Opens a whole file; where it comes from an agent, it has arrived and is checked. The caller reads or ends it. */
  download(path: string, signal: AbortSignal): Promise<DownloadedFile>
  /**
   * Replaces a file by a stream of exactly `size` bytes.
   * @throws OperationError, or the error of the stream; the file is as it was then, unless an agent had received all of it
   */
  upload(order: UploadOrder, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<WriteResult>
}

export interface DownloadedFile {
  /** Bytes. */
  size: number
  content: Readable
}

export interface UploadOrder extends WriteOptions {
  path: string
  /** Bytes. */
  size: number
  /** The SHA-256 that the content has to have, as 64 lower-case hexadecimal digits. */
  expected_sha256?: string
}

export interface ExecOrder {
  /** The program: a path, or a name that is looked up in PATH. */
  cmd: string
  args?: readonly string[]
  /** Default: the home directory, or the working folder of the agent. */
  cwd?: string
  /** Added to the usual environment. */
  env?: Readonly<Record<string, string>>
  stdin?: string
  timeout_seconds: number
  /** Of each output; what comes after is dropped. */
  max_output_bytes: number
}

export interface ExecResult {
  /** -1 when there is none. */
  exit_code: number
  /** Bytes that are not UTF-8 are replaced. */
  stdout: string
  stderr: string
  duration_ms: number
  stdout_truncated?: boolean
  stderr_truncated?: boolean
  timed_out?: boolean
  /** Why it was not started. */
  error?: string
}

export interface ListOrder {
  path: string
  show_hidden?: boolean
}

export interface ListResult {
  /** At most 5000, not sorted. */
  entries: readonly {
    name: string
    /** `file`, `dir`, `symlink` and others. */
    type: string
    size: number
    /** Octal, as `0644`. */
    mode: string
    /** Seconds since 1970. */
    mtime: number
    is_symlink?: boolean
    link_target?: string
  }[]
  truncated?: boolean
  total?: number
}

export type TextEncoding = 'utf8' | 'base64'

export interface ReadOrder {
  path: string
  offset?: number
  /** 0: as much as there is, up to 1 MiB. */
  length?: number
  encoding?: TextEncoding
}

export interface ReadResult {
  content: string
  encoding: string
  /** Bytes that were read. */
  size: number
  /** Of these bytes. */
  sha256?: string
  /** Whether the file goes on behind them. */
  truncated?: boolean
}

/** How a file is written; both ways of writing have it. */
export interface WriteOptions {
  /** Octal text, as `0640`. */
  mode?: string
  /** The SHA-256 that the present content has to have. */
  if_match_sha256?: string
  /** Whether missing folders are made. */
  create_dirs?: boolean
}

export interface WriteOrder extends WriteOptions {
  path: string
  content: string
  encoding?: TextEncoding
}

export interface WriteResult {
  size: number
  sha256: string
}

export interface RemoveOrder {
  path: string
  recursive?: boolean
}

export interface RemoveResult {
  /** With the folder itself. */
  deleted_count: number
}

/** Bytes and entries. */
export const operationLimits = { readBytes: 1_048_576, listedEntries: 5000, transferBytes: 104_857_600 } as const

/**
 * Why an operation failed: `refused` by the machine, with its words; `timeout`: no answer; `offline`: the machine has gone;
 * `unsupported`: its agent is too old.
 */
export type OperationFailure = 'refused' | 'timeout' | 'offline' | 'unsupported'

/** A failed operation, with the words of the contract (docs/contract/MCP.md#4-tool-results). */
export class OperationError extends Error {
  readonly failure: OperationFailure

  constructor(failure: OperationFailure, message: string, cause?: unknown) {
    super(message, { cause })
    this.failure = failure
  }
}

/** What real agents say when operations are switched off (docs/contract/AGENT.md#6-task-types). */
export const switchedOff = {
  exec: 'agent disabled command execution',
  files: 'agent disabled file operations',
} as const

/** What a transfer says whose content is not what was expected. */
export const hashMismatch = 'sha256 mismatch'
