/** Below so many bytes in its hands the screen gets more: it is never idle while something waits. */
const handedBelow = 64 * 1024
/**
 * Bytes handed over in one go. The screen shows a frame after each, and a frame costs as much as many kilobytes: in a
 * flood, fewer of them bring the end sooner. Where the screen is slow, less keeps the page usable.
 */
const handful = { least: 32 * 1024, first: 128 * 1024, most: 512 * 1024 }
/**
 * After so many bytes in one go, what follows is gathered for so many milliseconds, or until it makes a handful: a
 * shell that is hardly faster than the screen would else cost a frame for each of its pieces.
 */
const flood = { from: 32 * 1024, gatherMs: 40 }
/** A handful may take so long, in ms, until the next one is larger, or smaller. */
const handfulTakes = { atLeast: 20, atMost: 60 }
/** Bytes waiting at most, where the source cannot be asked to wait. */
const waitingAtMost = 16 * 1024 * 1024
/** Bytes waiting at most once a person has asked for an end to it. */
const hurriedAtMost = 64 * 1024
/** For so long, in ms, what still comes was on its way before anybody asked. */
const hurryLasts = 1_500
/** Below so many waiting bytes a source that can wait is asked to go on. */
const roomBelow = 1024 * 1024

export interface Output {
  /** Draws bytes or text, and calls back when that is done. */
  write(data: Uint8Array | string, done: () => void): void
  /** The line that stands in place of so many bytes that were left out. */
  mark(skipped: number): string
  /** So many bytes more are drawn, or left out: the source may send as many again. */
  onConsumed(bytes: number): void
}

/**
 * Stands between a socket and a screen: hands over what came at the pace of the screen. When more comes than can be
 * drawn, the oldest of what waits is left out and a line on screen says so; memory stays bounded.
 */
export class OutputQueue {
  readonly #output: Output
  readonly #limit: number
  #chunks: Uint8Array[] = []
  #waiting = 0
  #handed = 0
  #handful = handful.first
  #last = { at: Number.NEGATIVE_INFINITY, size: 0 }
  #gathering: ReturnType<typeof setTimeout> | undefined
  #skipped = 0
  #hurriedUntil = 0
  #rooms: (() => void)[] = []

  constructor(output: Output, limit = waitingAtMost) {
    this.#output = output
    this.#limit = limit
  }

  /** Bytes that came and are not drawn yet. */
  get pending(): number {
    return this.#waiting + this.#handed
  }

  /** Bytes under way that keep a screen of this pace busy. */
  get reach(): number {
    return 4 * this.#handful
  }

  push(bytes: Uint8Array): void {
    this.#chunks.push(bytes)
    this.#waiting += bytes.length
    this.#cut()
    this.#hand()
  }

  /** Somebody has pressed Ctrl-C: what waits is old news, and so is what is still on its way. */
  hurry(): void {
    if (this.pending <= hurriedAtMost) return
    this.#hurriedUntil = performance.now() + hurryLasts
    this.#cut()
    this.#letIn()
  }

  /** Nothing more will come: what there is need not wait for it. */
  finish(): void {
    this.#last.size = 0
    this.#hand()
  }

  /** Resolves once there is room for more. */
  room(): Promise<void> {
    if (this.#hasRoom()) return Promise.resolve()
    return new Promise((resolve) => this.#rooms.push(resolve))
  }

  #isHurried = () => performance.now() < this.#hurriedUntil

  #hasRoom = () => this.#isHurried() || this.#waiting < roomBelow

  #letIn(): void {
    if (!this.#hasRoom()) return
    for (const resolve of this.#rooms.splice(0)) resolve()
  }

  #cut(): void {
    const isHurried = this.#isHurried()
    const limit = isHurried ? Math.min(hurriedAtMost, this.#limit) : this.#limit
    if (this.#waiting <= limit) return
    // More than needed goes, so that not every further chunk leaves a mark of its own.
    const wanted = this.#waiting - (isHurried ? limit : limit / 4)
    let dropped = 0
    while (dropped < wanted) {
      const chunk = this.#chunks.shift() as Uint8Array
      const rest = chunk.length - (wanted - dropped)
      if (rest > 0) {
        const from = lineStart(chunk, Math.ceil(wanted - dropped))
        if (from < chunk.length) this.#chunks.unshift(chunk.subarray(from))
        dropped += from
        break
      }
      dropped += chunk.length
    }
    this.#waiting -= dropped
    this.#skipped += dropped
    this.#output.onConsumed(dropped)
  }

  #hand(): void {
    clearTimeout(this.#gathering)
    while (this.#handed < handedBelow) {
      if (this.#skipped > 0) {
        // Whatever sequence was cut in two is called off before.
        this.#output.write(`\x18\x1b[0m\r\n${this.#output.mark(this.#skipped)}\r\n`, () => {})
        this.#skipped = 0
      }
      if (this.#waiting === 0) break
      const pause = this.#pause()
      if (pause > 0) {
        this.#gathering = setTimeout(() => this.#hand(), pause)
        break
      }
      const part = this.#take(Math.min(this.#waiting, this.#handful))
      this.#waiting -= part.length
      this.#handed += part.length
      const since = performance.now()
      this.#last = { at: since, size: part.length }
      this.#output.write(part, () => this.#drawn(part.length, performance.now() - since))
    }
  }

  /** For how long, in ms, more is waited for. */
  #pause(): number {
    if (this.#last.size < flood.from || this.#waiting >= this.#handful) return 0
    return this.#last.at + flood.gatherMs - performance.now()
  }

  /** The oldest of what waits, in one piece. */
  #take(size: number): Uint8Array {
    const part = new Uint8Array(size)
    for (let at = 0; at < size; ) {
      const chunk = this.#chunks[0] as Uint8Array
      const taken = chunk.subarray(0, size - at)
      part.set(taken, at)
      at += taken.length
      if (taken.length < chunk.length) this.#chunks[0] = chunk.subarray(taken.length)
      else this.#chunks.shift()
    }
    return part
  }

  #adapt(took: number): void {
    if (took < handfulTakes.atLeast) this.#handful = Math.min(handful.most, this.#handful * 2)
    if (took > handfulTakes.atMost) this.#handful = Math.max(handful.least, this.#handful / 2)
  }

  #drawn(bytes: number, took: number): void {
    this.#handed -= bytes
    if (bytes === this.#handful) this.#adapt(took)
    this.#output.onConsumed(bytes)
    this.#hand()
    this.#letIn()
  }
}

/**
 * Where the next line begins at or after `from`; `from` itself, past the rest of a cut character, when there is none
 * near.
 */
function lineStart(chunk: Uint8Array, from: number): number {
  const end = chunk.indexOf(10, from)
  if (end >= 0 && end - from < 4096) return end + 1
  let start = from
  while (start < chunk.length && ((chunk[start] as number) & 0xc0) === 0x80) start += 1
  return start
}
