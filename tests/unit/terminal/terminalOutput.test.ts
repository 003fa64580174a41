import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { OutputQueue } from '../../../src/custom/terminal/session/outputQueue.ts'

const KiB = 1024
const MiB = 1024 * KiB

/** A screen that draws only when it is told to, and notes what it was given. */
function queueWith(limit?: number) {
  const drawn: (Uint8Array | string)[] = []
  const waiting: (() => void)[] = []
  const counts = { consumed: 0 }
  const queue = new OutputQueue(
    {
      write: (data, done) => {
        drawn.push(data)
        waiting.push(done)
      },
      skippedNotice: (skipped) => `[${skipped} left out]`,
      onConsumed: (bytes) => {
        counts.consumed += bytes
      },
    },
    limit,
  )
  const drawAll = () => {
    while (waiting.length > 0) {
      for (const done of waiting.splice(0)) done()
      vi.runAllTimers()
    }
  }
  const text = () =>
    drawn.map((data) => (typeof data === 'string' ? data : Buffer.from(data).toString('latin1'))).join('')
  return { queue, drawn, drawAll, text, counts }
}

/** Lines of ten bytes, numbered. */
const lines = (from: number, count: number) =>
  Buffer.from(Array.from({ length: count }, (_, index) => `${String(from + index).padStart(9, '0')}\n`).join(''))

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe('Output of a shell', () => {
  it('is drawn whole and in order, however much comes at once', () => {
    const { queue, drawAll, text } = queueWith()
    const sent = lines(0, 200_000)
    for (let at = 0; at < sent.length; at += 32 * KiB) queue.push(sent.subarray(at, at + 32 * KiB))
    drawAll()
    expect(text()).toBe(sent.toString())
    expect(queue.pending).toBe(0)
  })

  it('goes to the screen no faster than the screen draws', () => {
    const { queue, drawn, drawAll } = queueWith()
    queue.push(lines(0, 200_000))
    const handed = drawn.reduce((sum, data) => sum + data.length, 0)
    expect(handed).toBeLessThanOrEqual(576 * KiB)
    drawAll()
    expect(drawn.reduce((sum, data) => sum + data.length, 0)).toBe(2_000_000)
  })

  it('that goes on and on is gathered for a moment, and for no longer', () => {
    const { queue, drawn, drawAll, text } = queueWith()
    queue.push(lines(0, 5000))
    drawAll()
    for (let index = 5; index < 8; index += 1) queue.push(lines(index * 1000, 1000))
    expect(drawn).toHaveLength(1)
    vi.advanceTimersByTime(40)
    expect(drawn).toHaveLength(2)
    expect(text()).toBe(lines(0, 8000).toString())
  })

  it('that makes a handful waits for no more', () => {
    const { queue, drawn, drawAll } = queueWith()
    queue.push(lines(0, 5000))
    drawAll()
    queue.push(lines(0, 20_000))
    expect(drawn).toHaveLength(2)
  })

  it('is shown at once where it is little, as the echo of a key', () => {
    const { queue, drawn, drawAll } = queueWith()
    for (let index = 0; index < 3; index += 1) {
      queue.push(lines(index, 1))
      drawAll()
    }
    expect(drawn).toHaveLength(3)
  })

  it('that was the last is shown at once', () => {
    const { queue, drawAll, text } = queueWith()
    queue.push(lines(0, 5000))
    drawAll()
    queue.push(lines(5000, 1))
    queue.finish()
    expect(text()).toBe(lines(0, 5001).toString())
  })

  it('is counted once it is drawn, not when it came', () => {
    const { queue, drawAll, counts } = queueWith()
    queue.push(lines(0, 1000))
    expect(counts.consumed).toBe(0)
    drawAll()
    expect(counts.consumed).toBe(10_000)
  })

  it('that is more than can wait loses its middle: a line says how much, whole lines follow, memory stays bounded', () => {
    const { queue, drawAll, text, counts } = queueWith(MiB)
    let most = 0
    for (let index = 0; index < 500; index += 1) {
      queue.push(lines(index * 1000, 1000))
      most = Math.max(most, queue.pending)
    }
    expect(most).toBeLessThanOrEqual(MiB + 576 * KiB)
    drawAll()
    // Before the mark stands what calls a cut sequence off.
    const [before, rest = ''] = text().split('\x18\x1b[0m\r\n')
    const [, skipped, after] = /^\[(\d+) left out\]\r\n(.*)$/s.exec(rest) ?? []
    expect(before).toMatch(/^000000000\n000000001\n/)
    expect(after).toMatch(/^\d{9}\n/)
    expect(after?.endsWith('000499999\n')).toBe(true)
    expect((before?.length ?? 0) + Number(skipped) + (after?.length ?? 0)).toBe(5_000_000)
    expect(counts.consumed).toBe(5_000_000)
  })

  it('never goes on in the middle of a character', () => {
    const { queue, drawAll, drawn } = queueWith(64 * KiB)
    // No line ends anywhere: only characters of three bytes.
    for (let index = 0; index < 40; index += 1) queue.push(Buffer.from('語'.repeat(10_000)))
    drawAll()
    const bytes = drawn.slice(drawn.findIndex((data) => typeof data === 'string') + 1) as Uint8Array[]
    expect(Buffer.concat(bytes).toString()).not.toContain('\ufffd')
  })

  it('is old news after Ctrl-C: all but the newest is left out', () => {
    const { queue, drawAll, text } = queueWith()
    queue.push(lines(0, 400_000))
    queue.dropBacklog()
    expect(queue.pending).toBeLessThanOrEqual(640 * KiB)
    drawAll()
    expect(text()).toMatch(/left out\]\r\n/)
    expect(text().endsWith('000399999\n')).toBe(true)
  })

  it('that is short is not touched by Ctrl-C', () => {
    const { queue, drawAll, text } = queueWith()
    queue.push(lines(0, 100))
    queue.dropBacklog()
    drawAll()
    expect(text()).toBe(lines(0, 100).toString())
  })

  it('is asked for again when there is room', async () => {
    const { queue, drawAll } = queueWith()
    queue.push(lines(0, 300_000))
    let hasRoom = false
    const roomAgain = queue.waitForRoom().then(() => {
      hasRoom = true
    })
    await Promise.resolve()
    expect(hasRoom).toBe(false)
    drawAll()
    await roomAgain
    expect(hasRoom).toBe(true)
  })
})
