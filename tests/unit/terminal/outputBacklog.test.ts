import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OutputBacklog } from '../../../src/custom/terminal/socket/outputBacklog.ts'

const bytesOf = (text: string) => new Uint8Array(new TextEncoder().encode(text))

/** Everything that waits; where output was left out stands `<number of bytes|modes>`. */
function drain(backlog: OutputBacklog, atMost = 1000): string {
  let text = ''
  const decoder = new TextDecoder()
  for (let piece = backlog.take(atMost); piece; piece = backlog.take(atMost)) {
    if (piece.skipped) text += `<${piece.skipped.bytes}|${piece.skipped.modes}>`
    text += decoder.decode(piece.bytes, { stream: true })
  }
  return text + decoder.decode()
}

const numbered = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `line ${from + index}\n`).join('')

describe('Output that waits for the screen', () => {
  it('is passed on whole and in order while it is less than two histories of the screen', () => {
    const backlog = new OutputBacklog({ lines: 100 })
    for (let from = 0; from < 200; from += 10) backlog.push(bytesOf(numbered(from, 10)))
    expect(drain(backlog)).toBe(numbered(0, 200))
    expect(backlog.isEmpty).toBe(true)
  })

  it('is passed on whole when its memory is given away, in pieces that are smaller than those that came', () => {
    const backlog = new OutputBacklog({ lines: 1000 })
    backlog.push(bytesOf(numbered(0, 200)))
    let text = ''
    for (let piece = backlog.take(500); piece; piece = backlog.take(500)) {
      text += new TextDecoder().decode(structuredClone(piece.bytes, { transfer: [piece.bytes.buffer] }))
    }
    expect(text).toBe(numbered(0, 200))
  })

  it('loses nothing of the newest history, and what it loses is counted', () => {
    const backlog = new OutputBacklog({ lines: 100 })
    const sent = numbered(0, 5000)
    for (let at = 0; at < sent.length; at += 700) backlog.push(bytesOf(sent.slice(at, at + 700)))
    const [before = '', skipped, after = ''] = drain(backlog).split(/<(\d+)\|>/)
    expect(before).toBe('line 0\n')
    expect(after.startsWith('line ')).toBe(true)
    expect(after.endsWith('line 4999\n')).toBe(true)
    expect(after.split('\n').length - 1).toBeGreaterThanOrEqual(100)
    expect(before.length + Number(skipped) + after.length).toBe(sent.length)
  })

  it('is skipped from the end of the line that the screen is in the middle of', () => {
    const backlog = new OutputBacklog({ lines: 10 })
    backlog.push(bytesOf(`begun and ended\n${numbered(0, 15)}`))
    expect(new TextDecoder().decode(backlog.take(6)?.bytes)).toBe('begun ')
    for (let from = 15; from < 60; from += 5) backlog.push(bytesOf(numbered(from, 5)))
    expect(drain(backlog)).toMatch(/^and ended\n<\d+\|>line \d+\n/)
  })

  it('is never cut within an escape sequence, wherever its pieces end', () => {
    const title = '\x1b]0;a title\nof two lines\x07'
    const line = `\x1b[1;38;5;120mgreen\x1b[0m ${title}\x1b[Kend\n`
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 30, maxLength: 80 }), (sizes) => {
        const backlog = new OutputBacklog({ lines: 20 })
        const sent = line.repeat(200)
        for (let at = 0, index = 0; at < sent.length; index += 1) {
          const size = sizes[index % sizes.length] as number
          backlog.push(bytesOf(sent.slice(at, at + size)))
          at += size
        }
        const shown = drain(backlog).replace(/<\d+\|[^>]*>/g, '')
        expect(shown.replaceAll(line, '')).toBe('')
      }),
      { numRuns: 50 },
    )
  })

  it('says what the skipped output has set: modes, colours, the screen of a full-screen program', () => {
    const backlog = new OutputBacklog({ lines: 10 })
    backlog.push(bytesOf('start\n'))
    backlog.push(bytesOf(`\x1b[?1049h\x1b[?25l\x1b[31mred\n${numbered(0, 5)}`))
    backlog.push(bytesOf(`\x1b[?25h\x1b[0;1mbold\x1b[4m\n${numbered(5, 5)}`))
    for (let from = 10; from < 60; from += 5) backlog.push(bytesOf(numbered(from, 5)))
    expect(drain(backlog)).toContain('|\x1b[?1049h\x1b[?25h\x1b[0;1m\x1b[4m>')
  })

  it('keeps the colours that were set before', () => {
    const backlog = new OutputBacklog({ lines: 10 })
    backlog.push(bytesOf('\x1b[7mreversed\x1b[m\x1b[31mred\n'))
    expect(drain(backlog)).toContain('red')
    for (let from = 0; from < 60; from += 5) backlog.push(bytesOf(numbered(from, 5)))
    expect(drain(backlog)).toContain('|\x1b[m\x1b[31m>line')
    backlog.push(bytesOf('\x1b[0mplain\n'))
    for (let from = 0; from < 60; from += 5) backlog.push(bytesOf(numbered(from, 5)))
    expect(drain(backlog)).toContain('|\x1b[0m>line')
  })

  it('does not switch to a full-screen program that has come and gone', () => {
    const backlog = new OutputBacklog({ lines: 10 })
    backlog.push(bytesOf('start\n'))
    backlog.push(bytesOf(`\x1b[?1049h${numbered(0, 5)}\x1b[?1049l`))
    for (let from = 10; from < 60; from += 5) backlog.push(bytesOf(numbered(from, 5)))
    expect(drain(backlog)).toMatch(/<\d+\|>/)
  })

  it('of one endless line is bounded, and goes on with a whole character', () => {
    const backlog = new OutputBacklog({ lines: 100, bytes: 300_000 })
    for (let index = 0; index < 200; index += 1) backlog.push(bytesOf('語'.repeat(3000)))
    const text = drain(backlog, 10_000)
    expect(text).not.toContain('\ufffd')
    expect(bytesOf(text).length).toBeLessThan(500_000)
    expect(text).toMatch(/<\d+\|>/)
  })

  it('takes little memory, however much output there is', () => {
    const backlog = new OutputBacklog({ lines: 10_000 })
    const flood = bytesOf('y\r\n'.repeat(20_000))
    for (let index = 0; index < 500; index += 1) backlog.push(flood)
    expect(drain(backlog, 1_000_000).length).toBeLessThan(200_000)
  })
})
