import type { WorkQueue } from '../concurrency/workQueue.ts'
import type { GrpcCall } from './grpc/grpcCall.ts'
import { grpcCodes, internalError } from './grpc/grpcStatus.ts'
import { InvalidMessage } from './grpc/messageReader.ts'

/**
 * Handles a call in turns with everything else: its beginning, its messages and its end wait in a queue, in their order.
 * @param onError called with what a listener has thrown; the call has ended then
 */
export function handleInTurn(
  call: GrpcCall,
  { work, onError }: { work: WorkQueue; onError: (error: unknown) => void },
  handle: (call: GrpcCall) => void,
): void {
  function attempt(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      const isTheirs = error instanceof InvalidMessage
      call.end(isTheirs ? { code: grpcCodes.internal, details: error.message } : internalError)
      if (!isTheirs) onError(error)
    }
  }
  const inTurn = (listener: () => void) => work.add(() => attempt(listener))
  /** Whether the listeners have paused the call. */
  let isPaused = false
  let isMessageWaiting = false

  /** While a message waits, no further one is read. */
  function receive(listener: () => void): void {
    let isHandled = false
    inTurn(() => {
      isHandled = true
      try {
        listener()
      } finally {
        if (isMessageWaiting) {
          isMessageWaiting = false
          if (!isPaused) call.resume()
        }
      }
    })
    if (isHandled) return
    isMessageWaiting = true
    call.pause()
  }

  const waiting: GrpcCall = {
    ...call,
    onMessage: (listener, ...limit) => call.onMessage((bytes) => receive(() => listener(bytes)), ...limit),
    pause() {
      isPaused = true
      call.pause()
    },
    resume() {
      isPaused = false
      if (!isMessageWaiting) call.resume()
    },
    onHalfClose: (listener) => call.onHalfClose(() => inTurn(listener)),
    onClose: (listener) => call.onClose(() => inTurn(listener)),
  }
  inTurn(() => handle(waiting))
}
