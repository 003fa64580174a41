import { describe, expect, it } from 'vitest'
import { createFrameMemory } from '../../../server/machines/live/liveViewer.ts'

describe('the memory of live frames', () => {
  it('holds texts of any length and script', () => {
    const frame = createFrameMemory().take()
    const texts = ['{"name":"', '北京 🚀 è', '"}', 'x'.repeat(100_000), '中'.repeat(100_000)]
    for (const text of texts) frame.append(text)
    expect(frame.bytes.toString()).toBe(texts.join(''))
  })

  it('is used again after the last list has received a frame', () => {
    const memory = createFrameMemory()
    const first = memory.take()
    first.append('first')
    const releases = [first.hold(), first.hold()]
    const { buffer } = first.bytes
    releases[0]?.()
    releases[0]?.()
    expect(memory.take().bytes.buffer).not.toBe(buffer)
    releases[1]?.()
    const second = memory.take()
    second.append('2nd')
    expect(second.bytes.buffer).toBe(buffer)
    expect(second.bytes.toString()).toBe('2nd')
  })

  it('does not change a frame that a slow list still receives', () => {
    const memory = createFrameMemory()
    const slow = memory.take()
    slow.append('slow')
    slow.hold()
    for (let tick = 0; tick < 10; tick++) {
      const next = memory.take()
      const release = next.hold()
      next.append(`frame ${tick}`)
      release()
    }
    expect(slow.bytes.toString()).toBe('slow')
  })
})
