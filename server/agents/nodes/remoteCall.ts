import type { IncomingHttpHeaders } from 'node:http2'
import type { HostState } from '../../machines/hosts/host.ts'
import type { ByteBudget } from '../grpc/byteBudget.ts'
import type { GrpcCall, GrpcConnection } from '../grpc/grpcCall.ts'
import { type GrpcStatus, okStatus } from '../grpc/grpcStatus.ts'
import { numbers, toNode } from './linkFrames.ts'
import { StateReader } from './stateDelta.ts'

/** The link on which a node tells of calls. */
export interface NodeLink {
  /** Sends a frame when what it tells of is durable. */
  send(kind: number, id: number, payload?: Uint8Array): void
  /** The number by which the node knows what messages count in. */
  numberOf(memory: ByteBudget | undefined): number
  forget(call: RemoteCall): void
}

/** Bytes on their way to an agent, above which callers should wait. */
const highWaterMark = 256 * 1024

/** An agent's connection that ends at another node. */
export class RemoteConnection implements GrpcConnection {
  readonly address: string
  readonly port: number
  /** Messages arrive whole here: the other node counts them. */
  readonly memory: ByteBudget = uncounted
  #listeners: (() => void)[] | undefined = []

  constructor(address: string, port: number) {
    this.address = address
    this.port = port
  }

  /** The node knows it when a call may be here. */
  authenticated(): void {}

  onClose(listener: () => void): void {
    if (this.#listeners) this.#listeners.push(listener)
    else listener()
  }

  close(): void {
    const listeners = this.#listeners ?? []
    this.#listeners = undefined
    for (const listener of listeners) listener()
  }
}

const uncounted: ByteBudget = { take: () => true, giveBack() {} }

/** A call of an agent whose connection ends at another node. A class, because there are two of each agent. */
export class RemoteCall implements GrpcCall {
  readonly id: number
  readonly connection: RemoteConnection
  /** Those of the beginning; forgotten when it has begun. */
  metadata: IncomingHttpHeaders
  readonly #link: NodeLink
  #memory: ByteBudget | undefined
  #onMessage: ((message: Uint8Array) => void) | undefined
  #onState: ((state: HostState) => void) | undefined
  #states: StateReader | undefined
  #halfCloseListeners: (() => void)[] | undefined
  #closeListeners: (() => void)[] | undefined = []
  #drainListeners: (() => void)[] | undefined
  #sentBytes = 0
  #isHalfClosed = false
  #isEnding = false
  #isLost = false

  constructor(link: NodeLink, id: number, connection: RemoteConnection, metadata: IncomingHttpHeaders) {
    this.#link = link
    this.id = id
    this.connection = connection
    this.metadata = metadata
  }

  onMessage(listener: (message: Uint8Array) => void, maxBytes = 0): void {
    this.#onMessage = listener
    this.#accept(maxBytes)
  }

  onState(listener: (state: HostState) => void): void {
    this.#onState = listener
    this.#states = new StateReader()
    this.#accept(0)
  }

  #accept(maxBytes: number): void {
    this.#link.send(toNode.accept, this.id, numbers(maxBytes, this.#link.numberOf(this.#memory)))
  }

  countIn(memory: ByteBudget): void {
    this.#memory = memory
  }

  onHalfClose(listener: () => void): void {
    this.#halfCloseListeners ??= []
    this.#halfCloseListeners.push(listener)
    if (this.#isHalfClosed) listener()
  }

  onClose(listener: () => void): void {
    if (this.#closeListeners) this.#closeListeners.push(listener)
    else listener()
  }

  send(message: Uint8Array): boolean {
    if (this.#isEnding || !this.#closeListeners || this.#isLost) return true
    this.#sentBytes += message.length
    this.#link.send(toNode.message, this.id, message)
    return this.#sentBytes < highWaterMark
  }

  onDrain(listener: () => void): void {
    this.#drainListeners ??= []
    this.#drainListeners.push(listener)
  }

  pendingBytes(): number {
    return this.#sentBytes
  }

  pause(): void {
    this.#link.send(toNode.pause, this.id)
  }

  resume(): void {
    this.#link.send(toNode.resume, this.id)
  }

  /** What waits, waits at the other node. */
  unreadBytes(): number {
    return 0
  }

  isLost(): boolean {
    return this.#isLost
  }

  end({ code, details }: GrpcStatus = okStatus): void {
    if (this.#isEnding) return
    this.#isEnding = true
    if (!this.#isLost) this.#link.send(toNode.end, this.id, Buffer.concat([Buffer.of(code), Buffer.from(details)]))
    this.close()
  }

  /** The node has sent a message. */
  receive(message: Uint8Array): void {
    if (this.#closeListeners) this.#onMessage?.(message)
  }

  /** The node has read a report. @throws InvalidMessage */
  receiveState(delta: Buffer): void {
    const state = this.#states?.read(delta)
    if (state && this.#closeListeners) this.#onState?.(state)
  }

  halfClose(): void {
    this.#isHalfClosed = true
    for (const listener of this.#halfCloseListeners ?? []) listener()
  }

  /** The agent has read what was sent. */
  read(bytes: number): void {
    this.#sentBytes = Math.max(0, this.#sentBytes - bytes)
    for (const listener of this.#drainListeners ?? []) listener()
  }

  /** The node cannot be reached any more, which does not say that the agent has gone; what waits for it waits in vain. */
  lose(): void {
    this.#isLost = true
    if (!this.#onState) this.close()
  }

  close(): void {
    const listeners = this.#closeListeners
    if (!listeners) return
    this.#closeListeners = undefined
    this.#link.forget(this)
    for (const listener of listeners) listener()
  }
}
