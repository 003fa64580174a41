import { describe, expect, it } from 'vitest'
import { gulp } from '../../../server/machines/hosts/local/shell/ptyOutput.ts'

/** A terminal that has these splitIntoMessages at hand, then nothing. */
function terminal(...splitIntoMessages: string[]) {
  const waiting = splitIntoMessages.map((piece) => Buffer.from(piece))
  const socket = { destroyed: false }
  const read = (into: Uint8Array, offset: number) => {
    const piece = waiting.shift()
    if (!piece) throw Object.assign(new Error('nothing there'), { code: 'EAGAIN' })
    const part = piece.subarray(0, into.length - offset)
    into.set(part, offset)
    if (part.length < piece.length) waiting.unshift(piece.subarray(part.length))
    return part.length
  }
  const take = gulp(socket, read)
  return { waiting, socket, take: (piece: string) => Buffer.from(take(Buffer.from(piece))).toString() }
}

const flood = 'x'.repeat(4096)

describe('The output of a terminal', () => {
  it('is taken with all that follows at once, in its order', () => {
    const { take, waiting } = terminal('one ', 'two ', 'three')
    expect(take(`${flood} zero `)).toBe(`${flood} zero one two three`)
    expect(waiting).toEqual([])
  })

  it('that is short, as the echo of a key, goes its way without a look for more', () => {
    const { take, waiting } = terminal('more')
    expect(take('k')).toBe('k')
    expect(waiting).toHaveLength(1)
  })

  it('of a flood leaves room for others: the rest is for the next time', () => {
    const { take, waiting } = terminal(...Array.from({ length: 40 }, () => flood))
    expect(take(flood)).toHaveLength(64 * 1024)
    expect(waiting.reduce((sum, { length }) => sum + length, 0)).toBe(25 * 4096)
  })

  it('of a terminal that has closed is not read on: its descriptor may be another file’s', () => {
    const { take, socket, waiting } = terminal('of another file')
    socket.destroyed = true
    expect(take(flood)).toBe(flood)
    expect(waiting).toHaveLength(1)
  })
})
