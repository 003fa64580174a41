import { describe, expect, it } from 'vitest'
import {
  CastProblem,
  parseCast,
  searchCast,
  sizeOf,
  withoutIdle,
} from '../../../src/custom/terminal/recordings/cast.ts'
import { CastPlayback } from '../../../src/custom/terminal/recordings/castPlayback.ts'

const file = [
  '{"version":2,"width":80,"height":24,"timestamp":1}',
  '[0.5,"o","hel"]',
  '[1,"o","\\u001b[1mlo\\u001b[0m\\r\\n"]',
  '[2,"i","not output"]',
  '[61,"r","100x30"]',
  '[62,"o","Later"]',
  '[63,"o","cu',
].join('\n')

/** A screen that keeps what was drawn. */
function screen() {
  const seen = { text: '', size: '' }
  return {
    seen,
    write: (text: string | Uint8Array) => {
      seen.text = text === '\x1bc' ? '' : seen.text + String(text)
    },
    setSize: ({ rows, cols }: { rows: number; cols: number }) => {
      seen.size = `${cols}x${rows}`
    },
  }
}

describe('a recording', () => {
  it('is read as far as its lines are whole, and only what was printed', () => {
    expect(parseCast(file)).toEqual({
      width: 80,
      height: 24,
      duration: 62,
      events: [
        { at: 0.5, kind: 'output', data: 'hel' },
        { at: 1, kind: 'output', data: '\x1b[1mlo\x1b[0m\r\n' },
        { at: 61, kind: 'resize', data: '100x30' },
        { at: 62, kind: 'output', data: 'Later' },
      ],
    })
  })

  it.each(['', '{"error":"recording not found"}', '{"version":1}', 'text'])('is refused as "%s"', (text) => {
    expect(() => parseCast(text)).toThrow(CastProblem)
  })

  it('is played without idle time: no pause is longer than a second', () => {
    const { events, duration } = withoutIdle(parseCast(file))
    expect(events.map(({ at }) => at)).toEqual([0.5, 1, 2, 3])
    expect(duration).toBe(3)
  })

  it('finds a text that came in pieces and colours, whatever its case, and begins again at the end', () => {
    const find = searchCast(parseCast(file))
    expect(find('HELLO', 0)).toBe(1)
    expect(find('later', 1)).toBe(62)
    expect(find('hello', 62)).toBe(1)
    expect(find('never', 0)).toBeUndefined()
    expect(find('', 0)).toBeUndefined()
  })

  it('is drawn as far as a time, forwards and back', () => {
    const shown = screen()
    const playback = new CastPlayback(shown, parseCast(file))
    playback.show(62)
    expect(shown.seen).toEqual({ text: 'hel\x1b[1mlo\x1b[0m\r\nLater', size: '100x30' })
    playback.show(0.7)
    expect(shown.seen).toEqual({ text: 'hel', size: '80x24' })
    playback.replace(withoutIdle(parseCast(file)))
    expect(playback.at).toBe(0.5)
    playback.show(3)
    expect(shown.seen.text).toBe('hel\x1b[1mlo\x1b[0m\r\nLater')
  })

  it('takes only sizes that are some', () => {
    expect(sizeOf('100x30')).toEqual({ cols: 100, rows: 30 })
    expect(sizeOf('1e9x3')).toBeUndefined()
  })
})
