/**
 * The last samples of one rule on one server, each passed or failed. While all are equal, which is nearly always, two
 * numbers are enough; only mixed samples need one bit each.
 */
export interface SampleWindow {
  /** How many samples there are, at most the window's size. */
  count: number
  /** How many of them failed. */
  failed: number
  /** One bit for each sample, set where it failed; absent while all are equal. */
  bits?: Uint8Array
  /** Index of the next sample; in a full window also that of the oldest one. */
  next: number
}

/** One day. A rule that asks for more samples is evaluated by the last day, which bounds the memory of large fleets. */
export const maxSamples = 28_800

export const emptyWindow = (): SampleWindow => ({ count: 0, failed: 0, next: 0 })

/** Adds a sample and drops the oldest one of a full window. @returns whether the window has changed */
export function addSample(window: SampleWindow, failed: boolean, size: number): boolean {
  if (!window.bits) {
    if (window.count === 0 || failed === window.failed > 0) {
      if (window.count === size) return false
      window.count++
      window.failed = failed ? window.count : 0
      return true
    }
    allocateBits(window, size)
  }
  const bits = window.bits as Uint8Array
  const index = window.next
  if (window.count < size) window.count++
  else if (bitAt(bits, index)) window.failed--
  setBit(bits, index, failed)
  if (failed) window.failed++
  window.next = (index + 1) % size
  if (window.failed === 0 || window.failed === window.count) window.bits = undefined
  return true
}

/** Called before the first sample that differs from the others. */
function allocateBits(window: SampleWindow, size: number): void {
  const bits = new Uint8Array(Math.ceil(size / 8))
  if (window.failed > 0) for (let index = 0; index < window.count; index++) setBit(bits, index, true)
  window.bits = bits
  window.next = window.count % size
}

const bitAt = (bits: Uint8Array, index: number) => ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0

function setBit(bits: Uint8Array, index: number, on: boolean): void {
  const mask = 1 << (index & 7)
  const byte = bits[index >> 3] ?? 0
  bits[index >> 3] = on ? byte | mask : byte & ~mask
}

/** Run lengths, oldest first: how many samples passed, then failed, then passed ... `[3, 7]`. */
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

/** The opposite of `packWindow`. */
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
