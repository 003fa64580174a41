import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import {
  type AgentConnection,
  AgentGone,
  type AgentStream,
  AgentTimeout,
} from '../../../server/machines/hosts/agent/agentConnection.ts'
import { root } from '../root.ts'

/** The agent's end of a stream in memory. */
export class FakeAgentStream implements AgentStream {
  readonly type: number
  readonly data: object
  /** What the server sent. */
  readonly received: Buffer[] = []
  hasEnded = false
  isPaused = false
  /** While it is true, `write` returns false, and what is written counts as pending. */
  isBlocked = false
  #pending = 0
  #waiting: Uint8Array[] = []
  #onFrame: ((bytes: Uint8Array) => void) | undefined
  readonly #endListeners: (() => void)[] = []
  readonly #drainListeners: (() => void)[] = []
  #isEnding = false
  /** Called for each frame of the server. */
  reply: (frame: Buffer) => void = () => {}

  constructor(type: number, data: object) {
    this.type = type
    this.data = data
  }

  /** The agent sends a frame. */
  send(frame: string | Uint8Array): void {
    this.#waiting.push(Buffer.from(frame))
    this.#deliver()
  }

  /** The agent ends the stream, after its last frame. */
  endByAgent(): void {
    this.#isEnding = true
    this.#deliver()
  }

  /** What was pending has left. */
  drain(): void {
    this.isBlocked = false
    this.#pending = 0
    for (const listener of this.#drainListeners) listener()
  }

  #deliver(): void {
    while (this.#onFrame && !this.isPaused && this.#waiting.length > 0)
      this.#onFrame(this.#waiting.shift() as Uint8Array)
    if (this.#isEnding && this.#waiting.length === 0) this.end()
  }

  onFrame(listener: (bytes: Uint8Array) => void): void {
    this.#onFrame = listener
    this.#deliver()
  }

  onEnd(listener: () => void): void {
    if (this.hasEnded) listener()
    else this.#endListeners.push(listener)
  }

  write(frame: Uint8Array): boolean {
    if (this.hasEnded) return true
    const copy = Buffer.from(frame)
    this.received.push(copy)
    if (this.isBlocked) this.#pending += copy.length
    queueMicrotask(() => this.reply(copy))
    return !this.isBlocked
  }

  onDrain(listener: () => void): void {
    this.#drainListeners.push(listener)
  }

  pendingBytes = () => this.#pending

  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
    this.#deliver()
  }

  end(): void {
    if (this.hasEnded) return
    this.hasEnded = true
    for (const listener of this.#endListeners) listener()
  }
}

/** A connection in memory: its streams are opened at once, or as `answer` says. */
export class FakeAgentConnection implements Pick<AgentConnection, 'openStream'> {
  readonly streams: FakeAgentStream[] = []
  answer: 'opens' | 'silent' | 'gone' = 'opens'
  /** Called for each stream. */
  onOpen: (stream: FakeAgentStream) => void = () => {}

  readonly openStream: AgentConnection['openStream'] = async (type, data, signal) => {
    if (this.answer === 'gone') throw new AgentGone()
    if (this.answer === 'silent') {
      return await new Promise((_resolve, reject) => {
        const timer = setTimeout(() => reject(new AgentTimeout()), 10_000)
        signal?.addEventListener('abort', () => {
          clearTimeout(timer)
          reject(signal.reason)
        })
      })
    }
    const stream = new FakeAgentStream(type, data)
    this.streams.push(stream)
    this.onOpen(stream)
    return stream
  }

  /** The last stream that was opened. */
  async last(): Promise<FakeAgentStream> {
    return await vi.waitFor(() => {
      const stream = this.streams.at(-1)
      if (!stream) throw new Error('no stream was opened')
      return stream
    })
  }
}

/** A frame of a recorded stream, without the one in which the agent names the stream. */
export interface RecordedFrame {
  dir: 'up' | 'down'
  bytes: Buffer
}

/** The frames of the stream in a recording of an agent (docs/contract/AGENT.md#14-recordings). */
export function recordedFrames(name: string): RecordedFrame[] {
  const path = join(root, `docs/contract/agent-recordings/${name}.json`)
  const { events } = JSON.parse(readFileSync(path, 'utf8')) as { events: Record<string, string | number>[] }
  return events.flatMap(({ rpc, dir, hex, hex_head: head = '', length }) => {
    if (rpc !== 'IOStream' || !dir) return []
    const bytes = Buffer.alloc(Number(length))
    bytes.write(String(hex ?? head), 'hex')
    return bytes.subarray(0, 4).toString('hex') === 'ff05ff05' ? [] : [{ dir: dir as RecordedFrame['dir'], bytes }]
  })
}
