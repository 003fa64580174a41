import type { SessionCloseReason } from '../../../../src/schemas/frames/sessionClose.ts'
import { FileError } from '../files.ts'
import { HostUnavailableError } from '../host.ts'
import { type AgentStream, type StreamTaskType, taskTypes } from './agentConnection.ts'
import type { AgentStreams } from './agentStreams.ts'

/** A file session of the agent: requests and replies, one after the other (docs/contract/AGENT.md#8-iostream-sessions-m). */
export interface FileStream {
  /** Milliseconds that the agent took to open it: about as long as it takes to reply. */
  readonly openedInMs: number
  /** Sends a frame; resolves when there is room for the next one. @throws FileError when the stream has ended, or none comes */
  send(frame: Uint8Array): Promise<void>
  /** The next frame; `undefined` when none comes in time. @throws FileError when the stream has ended */
  receive(timeoutMs: number): Promise<Uint8Array | undefined>
  /** Whether a frame has arrived that was not taken. */
  hasFrame(): boolean
  hasEnded(): boolean
  /** Calls `listener` once, when a frame arrives or the stream ends, at once where that has happened; the last one counts. */
  onAnswer(listener: () => void): void
  end(): void
}

/** Waiting bytes at which the stream is paused and resumed. */
const limits = { pause: 2 * 1024 * 1024, resume: 1024 * 1024 }

/** Milliseconds in which an agent has to take what waits for it: a slow line may hold some megabytes. */
const roomMs = 120_000

/** @param data what the task needs besides the id of the stream @throws FileError */
export async function openFileStream(
  streams: AgentStreams,
  type: StreamTaskType = taskTypes.files,
  data: object = {},
): Promise<FileStream> {
  const began = performance.now()
  const stream = await openStream(streams, type, data)
  const frames: Uint8Array[] = []
  let waitingBytes = 0
  let isPaused = false
  let hasEnded = false
  let onArrival = () => {}
  let onAnswer = () => {}
  const answered = () => {
    const listener = onAnswer
    onAnswer = () => {}
    listener()
  }
  let onRoom = () => {}
  stream.onFrame((frame) => {
    frames.push(frame)
    waitingBytes += frame.length
    if (!isPaused && waitingBytes > limits.pause) {
      isPaused = true
      stream.pause()
    }
    onArrival()
    answered()
  })
  stream.onDrain(() => onRoom())
  stream.onEnd(() => {
    hasEnded = true
    onArrival()
    answered()
    onRoom()
  })

  function take(): Uint8Array | undefined {
    const frame = frames.shift()
    waitingBytes -= frame?.length ?? 0
    if (isPaused && waitingBytes <= limits.resume) {
      isPaused = false
      stream.resume()
    }
    return frame
  }

  return {
    openedInMs: performance.now() - began,
    async send(frame) {
      if (hasEnded) throw connectionLost()
      if (stream.write(frame)) return
      const isRoom = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), roomMs)
        onRoom = () => {
          clearTimeout(timer)
          resolve(true)
        }
      })
      if (hasEnded) throw connectionLost()
      if (!isRoom) throw unavailable('silent', 'the agent takes no more data')
    },
    async receive(timeoutMs) {
      if (frames.length === 0 && !hasEnded) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs)
          onArrival = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      if (frames.length === 0 && hasEnded) throw connectionLost()
      return take()
    },
    hasFrame: () => frames.length > 0,
    hasEnded: () => hasEnded,
    onAnswer(listener) {
      onAnswer = listener
      if (frames.length > 0 || hasEnded) answered()
    },
    end: () => stream.end(),
  }
}

async function openStream(streams: AgentStreams, type: StreamTaskType, data: object): Promise<AgentStream> {
  try {
    return await streams.open(type, data)
  } catch (error) {
    if (error instanceof HostUnavailableError) throw unavailable(error.reason, error.message)
    throw error
  }
}

/** An error after which the machine has no files for now. */
export const unavailable = (reason: SessionCloseReason, message: string) =>
  new FileError(Buffer.from(message), undefined, reason)

const connectionLost = () => unavailable('offline', 'the connection to the agent was lost')
