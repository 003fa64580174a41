import type { FileFailure } from './fileFailure.ts'

type Frame = Uint8Array<ArrayBuffer>

/**
 * Passes frames from the socket to the operation that waits for them, one at a time and in order: the socket is read on
 * when a frame has been taken.
 */
export class FrameQueue {
  #frame: Frame | undefined
  #failure: FileFailure | undefined
  #taken: (() => void) | undefined
  #arrived: (() => void) | undefined

  /** Whether a frame is there to be taken. */
  get hasFrame(): boolean {
    return this.#frame !== undefined
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined
  }

  /** Resolves when the frame has been taken. */
  put(frame: Frame): Promise<void> {
    this.#frame = frame
    return new Promise((taken) => {
      this.#taken = taken
      this.#arrived?.()
    })
  }

  /** Ends the queue: waiting callers fail with this. */
  end(failure: FileFailure): void {
    this.#failure ??= failure
    this.#taken?.()
    this.#arrived?.()
  }

  /**
   * The next frame, or `undefined` when none has arrived in time.
   * @param timeoutMs none: without a limit
   */
  async take(timeoutMs?: number): Promise<Frame | undefined> {
    if (!this.#frame && !this.#failure) await this.#arrival(timeoutMs)
    const frame = this.#frame
    this.#frame = undefined
    this.#taken?.()
    if (!frame && this.#failure) throw this.#failure
    return frame
  }

  #arrival(timeoutMs: number | undefined): Promise<void> {
    return new Promise((arrived) => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(arrived, timeoutMs)
      this.#arrived = () => {
        clearTimeout(timer)
        arrived()
      }
    })
  }
}
