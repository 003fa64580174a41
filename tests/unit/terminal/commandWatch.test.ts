import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isAnswerOfTerminal } from '../../../src/custom/terminal/screen/programRequests.ts'
import { type CommandEnd, CommandWatch } from '../../../src/custom/terminal/session/commandWatch.ts'

describe('somebody who waits for the end of a command', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function watch() {
    const ends: CommandEnd[] = []
    return { ends, tested: new CommandWatch((how) => ends.push(how)) }
  }

  it('is told once, by the mark of a shell that sets marks, however long it is silent', () => {
    const { ends, tested } = watch()
    tested.mark('C')
    tested.start()
    tested.printed()
    vi.advanceTimersByTime(60_000)
    expect([tested.how, ends]).toEqual(['marks', []])
    tested.mark('D')
    tested.mark('A')
    expect(ends).toEqual(['marks'])
  })

  it('is told after ten seconds of silence by another shell, and not before it has printed anything', () => {
    const { ends, tested } = watch()
    tested.start()
    vi.advanceTimersByTime(60_000)
    tested.printed()
    vi.advanceTimersByTime(9_000)
    tested.printed()
    vi.advanceTimersByTime(9_999)
    expect(ends).toEqual([])
    vi.advanceTimersByTime(1)
    expect(ends).toEqual(['quiet'])
  })

  it('is told when the shell itself ends, and nothing after the wish was taken back', () => {
    const { ends, tested } = watch()
    tested.start()
    tested.over()
    tested.start()
    tested.printed()
    tested.stop()
    vi.advanceTimersByTime(60_000)
    tested.over()
    expect(ends).toEqual(['quiet'])
  })
})

describe('the keys of a guest', () => {
  it.each(['a', '\x1b', '\x1b[A', '\x1bOP', '\x1b[3~', '\x1b[200~text\x1b[201~', '\x1b[<0;1;1M'])(
    'pass: %j',
    (text) => {
      expect(isAnswerOfTerminal(text)).toBe(false)
    },
  )

  it.each([
    '\x1b[3;7R',
    '\x1b[?1;2c',
    '\x1b[>0;276;0c',
    '\x1b[0n',
    '\x1b[?2004;1$y',
    '\x1b[I',
    '\x1b]11;rgb:0/0/0\x07',
  ])('do not pass where the terminal answers: %j', (text) => {
    expect(isAnswerOfTerminal(text)).toBe(true)
  })
})
