/**
 * The last samples of one rule on one server, each passed or failed. While all of them are alike, which is nearly
 * always, it is two numbers; only mixed ones take a bit each.
 */
export interface SampleWindow {
  /** How many samples there are, at most the window's size. */
  count: number
  /** How many of them failed. */
  failed: number
  /** Set where a sample failed; absent while all are alike. */
  bits?: Uint8Array
  /** Where the next sample goes, and the oldest one stands once the window is full. */
  next: number
}

/**
 * A day. A rule may ask for more, and is judged by the last day then: ten thousand servers must not fill the memory
 * with what was long ago.
 */
export const longestWindow = 28_800

export const emptyWindow = (): SampleWindow => ({ count: 0, failed: 0, next: 0 })

/** Adds a sample; the oldest goes when there are `size` of them. @returns whether the window is another one now */
export function addSample(window: SampleWindow, failed: boolean, size: number): boolean {
  if (!window.bits) {
    if (window.count === 0 || failed === window.failed > 0) {
      if (window.count === size) return false
      window.count++
      window.failed = failed ? window.count : 0
      return true
    }
    spreadOut(window, size)
  }
  const bits = window.bits as Uint8Array
  const place = window.next
  if (window.count < size) window.count++
  else if (bitAt(bits, place)) window.failed--
  setBit(bits, place, failed)
  if (failed) window.failed++
  window.next = (place + 1) % size
  if (window.failed === 0 || window.failed === window.count) window.bits = undefined
  return true
}

/** From here on samples differ: each gets its bit. */
function spreadOut(window: SampleWindow, size: number): void {
  const bits = new Uint8Array(Math.ceil(size / 8))
  if (window.failed > 0) for (let place = 0; place < window.count; place++) setBit(bits, place, true)
  window.bits = bits
  window.next = window.count % size
}

const bitAt = (bits: Uint8Array, place: number) => ((bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0

function setBit(bits: Uint8Array, place: number, on: boolean): void {
  const mask = 1 << (place & 7)
  const byte = bits[place >> 3] ?? 0
  bits[place >> 3] = on ? byte | mask : byte & ~mask
}

/** The window in few numbers, oldest first: how many passed, then failed, then passed ... `[3, 7]`. */
export function packWindow({ count, failed, bits, next }: SampleWindow, size: number): number[] {
  if (!bits) return failed > 0 ? [0, count] : [count]
  const runs = [0]
  let isFailed = false
  const oldest = count < size ? 0 : next
  for (let index = 0; index < count; index++) {
    const sample = bitAt(bits, (oldest + index) % size)
    if (sample !== isFailed) {
      runs.push(0)
      isFailed = sample
    }
    runs[runs.length - 1] = (runs.at(-1) ?? 0) + 1
  }
  return runs
}

/** What `packWindow` packed. */
export function unpackWindow(runs: readonly number[], size: number): SampleWindow {
  const [passed = 0, failed = 0] = runs
  if (runs.length < 2) return { count: passed, failed: 0, next: 0 }
  if (runs.length === 2 && passed === 0) return { count: failed, failed, next: 0 }
  const window = emptyWindow()
  for (const [index, length] of runs.entries()) {
    for (let sample = 0; sample < length; sample++) addSample(window, index % 2 === 1, size)
  }
  return window
}
