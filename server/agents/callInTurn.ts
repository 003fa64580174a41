import type { IncomingHttpHeaders } from 'node:http2'
import type { WorkQueue } from '../concurrency/workQueue.ts'
import type { ByteBudget } from './grpc/byteBudget.ts'
import { type GrpcCall, type GrpcConnection, noMetadata } from './grpc/grpcCall.ts'
import { type GrpcStatus, grpcCodes, internalError } from './grpc/grpcStatus.ts'
import { InvalidMessage } from './grpc/messageReader.ts'

interface Turns {
  work: WorkQueue
  /** Called with what a listener has thrown; the call has ended then. */
  onError: (error: unknown) => void
}

/** Handles a call in turns with everything else: its beginning, its messages and its end wait in a queue, in their order. */
export function handleInTurn(call: GrpcCall, turns: Turns, handle: (call: GrpcCall) => void): void {
  const waiting = new CallInTurn(call, turns)
  waiting.inTurn(() => {
    handle(waiting)
    call.metadata = noMetadata
  })
}

/** A class, because there are two of each agent. */
class CallInTurn implements GrpcCall {
  readonly #call: GrpcCall
  readonly #turns: Turns
  /** Whether the listeners have paused the call. */
  #isPaused = false
  #isMessageWaiting = false

  constructor(call: GrpcCall, turns: Turns) {
    this.#call = call
    this.#turns = turns
  }

  get metadata(): IncomingHttpHeaders {
    return this.#call.metadata
  }

  get connection(): GrpcConnection {
    return this.#call.connection
  }

  inTurn(listener: () => void): void {
    this.#turns.work.add(() => this.#attempt(listener))
  }

  #attempt(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      const isTheirs = error instanceof InvalidMessage
      this.#call.end(isTheirs ? { code: grpcCodes.internal, details: error.message } : internalError)
      if (!isTheirs) this.#turns.onError(error)
    }
  }

  /** While a message waits, no further one is read. */
  #receive(listener: () => void): void {
    let isHandled = false
    this.inTurn(() => {
      isHandled = true
      try {
        listener()
      } finally {
        if (this.#isMessageWaiting) {
          this.#isMessageWaiting = false
          if (!this.#isPaused) this.#call.resume()
        }
      }
    })
    if (isHandled) return
    this.#isMessageWaiting = true
    this.#call.pause()
  }

  onMessage(listener: (message: Uint8Array) => void, maxBytes?: number): void {
    this.#call.onMessage((bytes) => this.#receive(() => listener(bytes)), maxBytes)
  }

  countIn(memory: ByteBudget): void {
    this.#call.countIn(memory)
  }

  onHalfClose(listener: () => void): void {
    this.#call.onHalfClose(() => this.inTurn(listener))
  }

  onClose(listener: () => void): void {
    this.#call.onClose(() => this.inTurn(listener))
  }

  send(message: Uint8Array): boolean {
    return this.#call.send(message)
  }

  onDrain(listener: () => void): void {
    this.#call.onDrain(listener)
  }

  pendingBytes(): number {
    return this.#call.pendingBytes()
  }

  pause(): void {
    this.#isPaused = true
    this.#call.pause()
  }

  resume(): void {
    this.#isPaused = false
    if (!this.#isMessageWaiting) this.#call.resume()
  }

  unreadBytes(): number {
    return this.#call.unreadBytes()
  }

  end(status?: GrpcStatus): void {
    this.#call.end(status)
  }

  isLost(): boolean {
    return this.#call.isLost()
  }
}
