import type { FileFailure } from './fileFailure.ts'

type Frame = Uint8Array<ArrayBuffer>

/**
 * Frames on their way from the socket to the operation that waits for them, one at a time and in their order: the
 * socket is asked for the next one when this one has been taken.
 */
export class FrameChannel {
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

  /** No frame comes any more; whoever waits for one is told why. */
  end(failure: FileFailure): void {
    this.#failure ??= failure
    this.#taken?.()
    this.#arrived?.()
  }

  /**
   * The next frame, or `undefined` when none has come in time.
   * @param patience ms; left out: as long as it takes
   */
  async take(patience?: number): Promise<Frame | undefined> {
    if (!this.#frame && !this.#failure) await this.#arrival(patience)
    const frame = this.#frame
    this.#frame = undefined
    this.#taken?.()
    if (!frame && this.#failure) throw this.#failure
    return frame
  }

  #arrival(patience: number | undefined): Promise<void> {
    return new Promise((arrived) => {
      const timer = patience === undefined ? undefined : setTimeout(arrived, patience)
      this.#arrived = () => {
        clearTimeout(timer)
        arrived()
      }
    })
  }
}
