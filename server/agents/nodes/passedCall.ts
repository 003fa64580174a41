import type { HostState } from '../../machines/hosts/host.ts'
import type { ByteBudget } from '../grpc/byteBudget.ts'
import type { GrpcCall } from '../grpc/grpcCall.ts'
import type { GrpcStatus } from '../grpc/grpcStatus.ts'
import { maxUnreadBytes, tooFast } from '../grpc/pace.ts'
import { listenToStates } from '../grpc/stateReports.ts'
import type { LeaderLink } from './leaderLink.ts'
import { numbers, type OpenedCall, toLeader } from './linkFrames.ts'
import { createStateWriter } from './stateDelta.ts'

/** A call of an agent at a node that tells the leader of it. */
export interface PassedCall {
  /** Tells the leader that the call is there; again when another one leads, or the link to it was cut. */
  announce(): void
  /** The leader has let it in. @param maxBytes of a message, 0 for reports */
  accept(maxBytes: number, memory: ByteBudget): void
  /** Sends the agent a message of the leader. */
  deliver(message: Uint8Array): void
  end(status: GrpcStatus): void
  /** The leader wants nothing of it for a while. */
  pause(): void
  resume(): void
  /** The link has no room: nothing but reports, which wait for their receipts, is read until it has. */
  hold(): void
  /** The link has room again. */
  drained(): void
  /** The link is gone. */
  lose(): void
}

interface PassedCallOptions {
  id: number
  /** Of its method. */
  name: string
  call: GrpcCall
  link: LeaderLink
  /** The number of its connection. */
  connection: number
  /** Called with the only message of a call that has one, and with what opens the call. */
  onFacts(opened: Uint8Array, message: Uint8Array): void
  /** Called when the link has no room any more for what has come. */
  onFull(): void
}

/** Bytes that an agent has read, from which on the leader is told. */
const readBytes = 32 * 1024

export function createPassedCall(options: PassedCallOptions): PassedCall {
  const { id, name, call, link, connection, onFacts, onFull } = options
  const isReport = name === 'ReportSystemState'
  const isUnary = name !== 'RequestTask' && !isReport
  const { address, port } = call.connection
  const opened: OpenedCall = { connection, address, port, metadata: headersOf(call) }
  let isAccepted = false
  let isReading = false
  let isHalfClosed = false
  let isPaused = false
  let isHeld = false
  let hasEnded = false
  let isFirstState = true
  let unread = 0
  let writeState = createStateWriter()
  /** The last report, while the leader does not know of it. */
  let latest: HostState | undefined
  /** The receipt that waits for room on the link. */
  let owed: (() => void) | undefined
  /** The only message of a call that has one, to be sent again. */
  let message: Uint8Array | undefined

  call.onHalfClose(() => {
    isHalfClosed = true
    if (isAccepted) link.send(toLeader.halfClose, id)
  })
  call.onClose(() => {
    if (!hasEnded) link.send(toLeader.close, id)
    hasEnded = true
  })
  call.onDrain(tellRead)

  function openedBytes(): Buffer {
    return Buffer.from(JSON.stringify(opened))
  }

  function tellRead(): void {
    if (unread > 0) link.send(toLeader.read, id, numbers(unread))
    unread = 0
  }

  function receiveState(state: HostState, sendReceipt: () => void): void {
    if (isAccepted) sendState(state)
    else latest = state
    if (link.isFull()) owed = sendReceipt
    else sendReceipt()
  }

  function sendState(state: HostState): void {
    latest = undefined
    // The first one of a call says that the machine is online.
    link.send(toLeader.state, id, writeState(state), isFirstState)
    isFirstState = false
  }

  function receive(bytes: Uint8Array): void {
    if (isUnary) {
      // A copy: it is kept for as long as the connection lives.
      message = Buffer.from(bytes)
      onFacts(openedBytes(), message)
    }
    if (isAccepted) link.send(toLeader.message, id, bytes)
    if (!link.isFull()) return
    hold()
    onFull()
  }

  function hold(): void {
    if (!isReading || isReport) return
    isHeld = true
    call.pause()
  }

  function drained(): void {
    if (isHeld) {
      isHeld = false
      resumeIfFree()
    }
    owed?.()
    owed = undefined
  }

  function resumeIfFree(): void {
    if (!isPaused && !isHeld) call.resume()
  }

  return {
    announce() {
      isAccepted = false
      writeState = createStateWriter()
      isFirstState = true
      link.send(toLeader.open, id, openedBytes())
    },
    accept(maxBytes, memory) {
      isAccepted = true
      call.connection.authenticated()
      if (isReading) {
        if (latest) sendState(latest)
        if (message) link.send(toLeader.message, id, message)
      } else {
        isReading = true
        call.countIn(memory)
        if (maxBytes === 0) listenToStates(call, receiveState)
        else call.onMessage(receive, maxBytes)
      }
      if (isHalfClosed) link.send(toLeader.halfClose, id)
    },
    deliver(bytes) {
      unread += bytes.length
      if (call.send(bytes) && unread >= readBytes) tellRead()
    },
    end(status) {
      hasEnded = true
      call.end(status)
    },
    pause() {
      // The leader says it again as often as it looks whether to go on.
      if (isPaused && call.unreadBytes() > maxUnreadBytes) return call.end(tooFast)
      isPaused = true
      call.pause()
    },
    resume() {
      isPaused = false
      resumeIfFree()
    },
    hold,
    drained,
    lose() {
      isAccepted = false
      unread = 0
      isPaused = false
      resumeIfFree()
      // What waited for the link was given up with it.
      drained()
    },
  }
}

interface RepeatedCallOptions {
  id: number
  link: LeaderLink
  /** What opens it, and its only message. */
  opened: Uint8Array
  message: Uint8Array
  /** Called when it has been answered. */
  onEnd(): void
}

/** What an agent has said of itself before the present leader led: nobody waits for its answer. */
export function createRepeatedCall({ id, link, opened, message, onEnd }: RepeatedCallOptions): PassedCall {
  return {
    announce: () => link.send(toLeader.open, id, opened),
    accept: () => link.send(toLeader.message, id, message),
    deliver() {},
    end: onEnd,
    pause() {},
    resume() {},
    hold() {},
    drained() {},
    lose: onEnd,
  }
}

/** What says who calls, and from where. */
function headersOf({ metadata }: GrpcCall): OpenedCall['metadata'] {
  const headers: OpenedCall['metadata'] = {}
  for (const [name, value] of Object.entries(metadata)) {
    if (value !== undefined && (name === ':path' || !name.startsWith(':'))) headers[name] = value
  }
  return headers
}
