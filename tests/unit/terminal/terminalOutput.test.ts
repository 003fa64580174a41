import { describe, expect, it } from 'vitest'
import { OutputQueue } from '../../../src/custom/terminal/session/outputQueue.ts'

const KiB = 1024

/** A screen that draws only on request, and records what it was given. */
function queueWith() {
  const drawn: (Uint8Array | string)[] = []
  const waiting: (() => void)[] = []
  const queue = new OutputQueue({
    write: (data, done) => {
      drawn.push(data)
      waiting.push(done)
    },
    skippedNotice: (skipped) => `[${skipped} left out]`,
  })
  const push = (bytes: Uint8Array<ArrayBuffer>) => queue.push({ bytes })
  const drawAll = () => {
    while (waiting.length > 0) waiting.shift()?.()
  }
  const text = () =>
    drawn.map((data) => (typeof data === 'string' ? data : Buffer.from(data).toString('latin1'))).join('')
  return { queue, push, drawn, drawAll, text }
}

/** Lines of ten bytes, numbered. */
const lines = (from: number, count: number) =>
  Buffer.from(Array.from({ length: count }, (_, index) => `${String(from + index).padStart(9, '0')}\n`).join(''))

describe('Output of a shell', () => {
  it('is drawn whole and in order, however much comes at once', () => {
    const { queue, push, drawAll, text } = queueWith()
    const sent = lines(0, 200_000)
    for (let at = 0; at < sent.length; at += 32 * KiB) push(sent.subarray(at, at + 32 * KiB))
    drawAll()
    expect(text()).toBe(sent.toString())
    expect(queue.pending).toBe(0)
  })

  it('goes to the screen no faster than the screen draws', () => {
    const { push, drawn, drawAll } = queueWith()
    push(lines(0, 200_000))
    const handed = drawn.reduce((sum, data) => sum + data.length, 0)
    expect(handed).toBeLessThanOrEqual(32 * KiB)
    drawAll()
    expect(drawn.reduce((sum, data) => sum + data.length, 0)).toBe(2_000_000)
  })

  it('goes to the screen in slices, between which the page draws and takes keys', () => {
    const { push, drawn, drawAll } = queueWith()
    push(lines(0, 20_000))
    drawAll()
    expect(Math.max(...drawn.map(({ length }) => length))).toBeLessThanOrEqual(8 * KiB)
  })

  it('is shown at once where it is little, as the echo of a key', () => {
    const { push, drawn, drawAll } = queueWith()
    for (let index = 0; index < 3; index += 1) {
      push(lines(index, 1))
      drawAll()
    }
    expect(drawn).toHaveLength(3)
  })

  it('names what was left out before it, and sets again what that had set', () => {
    const { queue, drawAll, text } = queueWith()
    queue.push({ bytes: lines(0, 1) })
    queue.push({ bytes: lines(9, 1), skipped: { bytes: 80, modes: '\x1b[?25l' } })
    drawAll()
    expect(text()).toBe('000000000\n\x18\x1b[0m\r\n[80 left out]\r\n\x1b[?25l000000009\n')
  })

  it('is asked for again when there is room', async () => {
    const { queue, push, drawAll } = queueWith()
    push(lines(0, 300_000))
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
