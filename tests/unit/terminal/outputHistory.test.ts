import { describe, expect, it } from 'vitest'
import { createOutputHistories, historyLimits } from '../../../server/sessions/liveTerminals.ts'

const textOf = (pieces: readonly Uint8Array[]) => Buffer.concat(pieces).toString()
const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `row ${String(from + index).padStart(7, '0')}\r\n`).join('')

describe('The history of a terminal', () => {
  it('has all output of a short session, from any offset', () => {
    const history = createOutputHistories().open()
    for (const part of ['one ', 'two ', 'three']) history.add(Buffer.from(part))
    expect(textOf(history.since(0).pieces)).toBe('one two three')
    expect(history.since(4)).toMatchObject({ from: 4, to: 13, modes: '' })
    expect(textOf(history.since(4).pieces)).toBe('two three')
    expect(history.since(13).pieces).toEqual([])
    expect(history.since(14)).toMatchObject({ from: 0, to: 13 })
  })

  it('keeps the newest megabyte, from the beginning of a line', () => {
    const history = createOutputHistories().open()
    const text = rows(0, 300_000)
    for (let at = 0; at < text.length; at += 50_000) history.add(Buffer.from(text.slice(at, at + 50_000)))
    const { from, to, pieces } = history.since(0)
    const kept = textOf(pieces)
    expect(to).toBe(text.length)
    expect(kept).toBe(text.slice(from))
    expect(kept).toMatch(/^row \d{7}\r\n/)
    expect(kept.length).toBeLessThanOrEqual(historyLimits.perShell)
    expect(kept.length).toBeGreaterThan(historyLimits.perShell * 0.9)
  })

  it('says what the output that it has dropped had set', () => {
    const history = createOutputHistories().open()
    history.add(Buffer.from('\x1b[?1049h\x1b[?25l'))
    history.add(Buffer.from(rows(0, 200_000)))
    expect(history.since(0).modes).toBe('\x1b[?1049h\x1b[?25l')
  })

  it('neither cuts a character nor a sequence of a line without an end', () => {
    const history = createOutputHistories().open()
    for (let piece = 0; piece < 400; piece += 1) history.add(Buffer.from('漢\x1b[31m字'.repeat(500)))
    expect(textOf(history.since(0).pieces).replaceAll('\x1b[31m', '')).toMatch(/^[漢字]+$/)
  })

  it('takes no more memory than all may have together', () => {
    const all = 512 * 1024
    const histories = createOutputHistories({ perShell: 256 * 1024, all })
    const open = Array.from({ length: 4 }, () => histories.open())
    const text = Buffer.from(rows(0, 40_000))
    for (const one of open) one.add(text)
    const kept = open.map((one) => Buffer.concat(one.since(0).pieces).length)
    expect(kept.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(all)
    for (const one of kept) expect(one).toBeGreaterThan(64 * 1024)
    open[0]?.close()
    expect(open[0]?.since(0).pieces).toEqual([])
  })
})
