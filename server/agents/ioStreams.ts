import { randomUUID } from 'node:crypto'
import type { AgentStream } from '../machines/hosts/agent/agentConnection.ts'
import type { GrpcCall } from './grpc/grpcCall.ts'
import { grpcCodes } from './grpc/grpcStatus.ts'
import { ioStreamMessage } from './grpc/nezhaService.ts'
import { waitForAgent } from './waitForAgent.ts'

/** What an agent's first frame begins with; the id of the stream follows. */
const magic = Buffer.from([0xff, 0x05, 0xff, 0x05])

/** Bytes of a frame, as real servers take them: agents send files in pieces of 1 MiB. */
const maxFrameBytes = 4 * 1024 * 1024

interface Expected {
  uuid: string
  attach(stream: AgentStream): void
}

/** The streams of sessions (docs/contract/AGENT.md#8-iostream-sessions-m). */
export interface IoStreams {
  /**
   * Waits for an agent to open the stream that `ask` makes it open.
   * @param ask returns a function that takes the order back as long as it has not left
   * @throws AgentTimeout, what `ask` throws, or the reason of `signal`
   */
  open(uuid: string, ask: (streamId: string) => (() => void) | undefined, signal?: AbortSignal): Promise<AgentStream>
  /** A stream that an agent has opened. */
  accept(uuid: string, call: GrpcCall): void
  /** Sends a keepalive on every stream. */
  keepalive(): void
  /** Ends all streams of an agent. */
  endAll(uuid: string): void
}

/** @param attachTimeoutMs in which an agent attaches, and in which an attached stream says which one it is */
export function createIoStreams(attachTimeoutMs = 10_000): IoStreams {
  const expected = new Map<string, Expected>()
  /** Streams by their id, with the agent that they belong to. */
  const attached = new Map<string, { uuid: string; call: GrpcCall }>()

  function attach(uuid: string, call: GrpcCall, first: Uint8Array): string | undefined {
    const hasMagic = first.length >= magic.length && magic.equals(first.subarray(0, magic.length))
    const id = hasMagic ? Buffer.from(first.subarray(magic.length)).toString() : ''
    if (attached.has(id)) return refuse(call, 'agent stream already connected')
    const waiting = expected.get(id)
    if (!waiting) return refuse(call, 'invalid stream id')
    if (waiting.uuid !== uuid) return refuse(call, 'stream not authorized for agent')
    expected.delete(id)
    attached.set(id, { uuid, call })
    call.onClose(() => attached.delete(id))
    waiting.attach(agentStream(call))
    return id
  }

  return {
    async open(uuid, ask, signal) {
      signal?.throwIfAborted()
      const id = randomUUID()
      const attachment = Promise.withResolvers<AgentStream>()
      expected.set(id, { uuid, attach: attachment.resolve })
      let takeBack: (() => void) | undefined
      try {
        takeBack = ask(id)
        const timeoutMessage = 'the agent did not open a stream'
        return await waitForAgent(attachment.promise, { timeoutMs: attachTimeoutMs, timeoutMessage, signal })
      } finally {
        expected.delete(id)
        takeBack?.()
      }
    },
    accept(uuid, call) {
      const timer = setTimeout(() => refuse(call, 'no stream id'), attachTimeoutMs)
      call.onClose(() => clearTimeout(timer))
      call.onMessage((bytes) => {
        clearTimeout(timer)
        attach(uuid, call, ioStreamMessage.decode(bytes).data)
      }, maxFrameBytes)
    },
    keepalive() {
      for (const { call } of attached.values()) call.send(emptyFrame)
    },
    endAll(uuid) {
      for (const stream of [...attached.values()]) if (stream.uuid === uuid) stream.call.end()
    },
  }
}

const emptyFrame = ioStreamMessage.encode({})

function refuse(call: GrpcCall, details: string): undefined {
  call.end({ code: grpcCodes.unknown, details })
}

function agentStream(call: GrpcCall): AgentStream {
  const early: Uint8Array[] = []
  const endListeners: (() => void)[] = []
  let onFrame: ((frame: Uint8Array) => void) | undefined
  let hasEnded = false
  // What comes before there is a listener waits at the agent.
  call.pause()

  /** The end is passed on when no frame waits any more. */
  function passEnd(): void {
    if (!hasEnded || early.length > 0) return
    for (const listener of endListeners.splice(0)) listener()
  }

  call.onMessage((bytes) => {
    const { data } = ioStreamMessage.decode(bytes)
    if (data.length === 0) return
    if (onFrame) onFrame(data)
    else early.push(data)
  })
  call.onHalfClose(() => call.end())
  call.onClose(() => {
    hasEnded = true
    passEnd()
  })

  return {
    onFrame(listener) {
      const isFirst = onFrame === undefined
      onFrame = listener
      for (const frame of early.splice(0)) listener(frame)
      passEnd()
      if (isFirst) call.resume()
    },
    onEnd(listener) {
      endListeners.push(listener)
      passEnd()
    },
    write: (frame) => call.send(ioStreamMessage.encode({ data: frame })),
    onDrain: (listener) => call.onDrain(listener),
    pendingBytes: () => call.pendingBytes(),
    pause: () => call.pause(),
    resume: () => call.resume(),
    end: () => call.end(),
  }
}
