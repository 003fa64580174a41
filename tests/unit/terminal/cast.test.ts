import { describe, expect, it } from 'vitest'
import { type Cast, CastProblem, readCast, searchCast, sizeOf } from '../../../src/custom/terminal/recordings/cast.ts'
import { type CastKeyframes, CastPlayback } from '../../../src/custom/terminal/recordings/castPlayback.ts'

const file = [
  '{"version":2,"width":80,"height":24,"timestamp":1}',
  '[0.5,"o","hel"]',
  '[1, "o", "\\u001b[1mlo\\u001b[0m\\r\\n"]',
  '[2,"i","not output"]',
  'something else]',
  '[61,"r","100x30"]',
  '[62,"o","Later"]',
  '[63,"o","cu',
].join('\n')

const castOf = (text: string) => readCast(new TextEncoder().encode(text))
const eventsOf = (cast: Cast) =>
  Array.from({ length: cast.count }, (_, index) => ({ at: cast.timeOf(index), ...cast.event(index) }))

/** A screen that keeps what was drawn. */
function screen() {
  const seen = { text: '', size: '' }
  return {
    seen,
    write: (text: string | Uint8Array, done: () => void) => {
      seen.text = text === '\x1bc' ? '' : seen.text + String(text)
      queueMicrotask(done)
    },
    setSize: ({ rows, cols }: { rows: number; cols: number }) => {
      seen.size = `${cols}x${rows}`
    },
  }
}

/** Those of a recording of which everything was seen already. */
const keyframes = (kept: ReturnType<CastKeyframes['before']>[] = []): CastKeyframes => ({
  reached: Number.POSITIVE_INFINITY,
  hold: () => {},
  progress: () => Promise.resolve(),
  before: (count) => kept.findLast((frame) => frame !== undefined && frame.count <= count),
  stop: () => {},
})

describe('a recording', () => {
  it('is read as far as its lines are whole, and only what was printed', () => {
    const cast = castOf(file)
    expect([cast.width, cast.height, cast.duration]).toEqual([80, 24, 62])
    expect(eventsOf(cast)).toEqual([
      { at: 0.5, kind: 'output', data: 'hel' },
      { at: 1, kind: 'output', data: '\x1b[1mlo\x1b[0m\r\n' },
      { at: 61, kind: 'resize', data: '100x30' },
      { at: 62, kind: 'output', data: 'Later' },
    ])
    expect([0.4, 0.5, 61.5, 100].map((at) => cast.countAt(at))).toEqual([0, 1, 3, 4])
  })

  it('that has just begun has nothing to play', () => {
    const cast = castOf('{"version":2,"width":80,"height":24}')
    expect([cast.count, cast.duration, cast.countAt(5)]).toEqual([0, 0, 0])
  })

  it.each(['', '{"error":"recording not found"}', '{"version":1}', 'text'])('is refused as "%s"', (text) => {
    expect(() => castOf(text)).toThrow(CastProblem)
  })

  it('is played without idle time: no pause is longer than a second', () => {
    const short = castOf(file).withoutIdle()
    expect(eventsOf(short).map(({ at }) => at)).toEqual([0.5, 1, 2, 3])
    expect(short.duration).toBe(3)
  })

  it('finds a text that came in pieces and colours, whatever its case, and begins again at the end', async () => {
    const cast = castOf(file)
    expect(await searchCast(cast, 'HELLO', 0)).toBe(1)
    expect(await searchCast(cast, 'hello', 0.5)).toBe(1)
    expect(await searchCast(cast, 'later', 1)).toBe(62)
    expect(await searchCast(cast, 'hello', 62)).toBe(1)
    expect(await searchCast(cast, 'never', 0)).toBeUndefined()
    expect(await searchCast(cast, '', 0)).toBeUndefined()
  })

  it('is drawn as far as a time, forwards and back', async () => {
    const shown = screen()
    const cast = castOf(file)
    const playback = new CastPlayback(shown, cast, keyframes())
    await playback.show(62)
    expect(shown.seen).toEqual({ text: 'hel\x1b[1mlo\x1b[0m\r\nLater', size: '100x30' })
    await playback.show(0.7)
    expect(shown.seen).toEqual({ text: 'hel', size: '80x24' })
    playback.replace(cast.withoutIdle())
    expect(playback.at).toBe(0.5)
    await playback.show(3)
    expect(shown.seen.text).toBe('hel\x1b[1mlo\x1b[0m\r\nLater')
  })

  it('is drawn from the last keyframe after a jump, and the last of several jumps counts', async () => {
    const shown = screen()
    const lines = Array.from({ length: 100_000 }, (_, index) => `[${index},"o","${index} "]`)
    const cast = castOf(`{"version":2,"width":80,"height":24}\n${lines.join('\n')}\n`)
    const kept = [{ count: 90_000, cols: 90, rows: 20, state: 'kept;' }]
    const playback = new CastPlayback(shown, cast, keyframes(kept))
    await Promise.all([playback.show(99_999), playback.show(5), playback.show(90_001)])
    expect(shown.seen).toEqual({ text: 'kept;90000 90001 ', size: '90x20' })
    await playback.show(2)
    expect(shown.seen).toEqual({ text: '0 1 2 ', size: '80x24' })
  })

  it('is drawn after a jump as far as it scrolls, and exactly once all before was gone through', async () => {
    const shown = screen()
    const lines = Array.from({ length: 100_000 }, (_, index) => `[${index},"o","${index} "]`)
    lines[500] = '[500,"r","90x20"]'
    const cast = castOf(`{"version":2,"width":80,"height":24}\n${lines.join('\n')}\n`)
    const frame = { count: 90_000, cols: 90, rows: 20, state: 'kept;' }
    let goOn = () => {}
    const late = {
      ...keyframes([frame]),
      reached: 400,
      progress: () =>
        new Promise<void>((resolve) => {
          goOn = resolve
        }),
    }
    const playback = new CastPlayback(shown, cast, late)
    await playback.show(90_002)
    expect(shown.seen.text).toMatch(/ 89999 90000 90001 90002 $/)
    expect(shown.seen.text).not.toMatch(/kept|^0 /)
    expect(shown.seen.size).toBe('90x20')
    late.reached = 100_000
    goOn()
    await playback.settled()
    expect(shown.seen).toEqual({ text: 'kept;90000 90001 90002 ', size: '90x20' })
  })

  it('is drawn after a jump before more keyframes are made, and playing on holds none up', async () => {
    const shown = screen()
    const lines = Array.from({ length: 100_000 }, (_, index) => `[${index},"o","${index} "]`)
    const cast = castOf(`{"version":2,"width":80,"height":24}\n${lines.join('\n')}\n`)
    const holds: { isHeld: boolean; text: string }[] = []
    const held = { ...keyframes(), hold: (isHeld: boolean) => void holds.push({ isHeld, text: shown.seen.text }) }
    const playback = new CastPlayback(shown, cast, held)
    await playback.show(1)
    expect(holds.some(({ isHeld }) => isHeld)).toBe(false)
    await playback.show(3)
    await playback.show(2)
    expect(holds.find(({ isHeld }) => isHeld)).toEqual({ isHeld: true, text: '0 1 2 3 ' })
    expect(holds.at(-1)).toEqual({ isHeld: false, text: '0 1 2 ' })
  })

  it('takes only sizes that are some', () => {
    expect(sizeOf('100x30')).toEqual({ cols: 100, rows: 30 })
    expect(sizeOf('1e9x3')).toBeUndefined()
  })
})
