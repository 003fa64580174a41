import { describe, expect, it } from 'vitest'
import { createPtyOutput } from '../../../server/machines/hosts/local/shell/ptyStreams.ts'

/** A terminal with these chunks of output, one for each read. */
function terminal(...chunks: string[]) {
  const available = chunks.map((piece) => Buffer.from(piece))
  let isClosed = false
  const read = (into: Uint8Array, offset: number) => {
    const chunk = available.shift()
    if (!chunk) throw Object.assign(new Error('no output'), { code: 'EAGAIN' })
    const part = chunk.subarray(0, into.length - offset)
    into.set(part, offset)
    if (part.length < chunk.length) available.unshift(chunk.subarray(part.length))
    return part.length
  }
  const withAvailable = createPtyOutput(() => isClosed, read)
  const close = () => {
    isClosed = true
  }
  return { available, close, receive: (chunk: string) => withAvailable(Buffer.from(chunk)).toString() }
}

const flood = 'x'.repeat(4096)

describe('The output of a pseudo-terminal', () => {
  it('is returned with all available output after it, in order', () => {
    const { receive, available } = terminal('one ', 'two ', 'three')
    expect(receive(`${flood} zero `)).toBe(`${flood} zero one two three`)
    expect(available).toEqual([])
  })

  it('that is short, such as the echo of a key, is returned without reading more', () => {
    const { receive, available } = terminal('more')
    expect(receive('k')).toBe('k')
    expect(available).toHaveLength(1)
  })

  it('is read up to 64 KiB at once: the rest stays for the next read', () => {
    const { receive, available } = terminal(...Array.from({ length: 40 }, () => flood))
    expect(receive(flood)).toHaveLength(64 * 1024)
    expect(available.reduce((sum, { length }) => sum + length, 0)).toBe(25 * 4096)
  })

  it('is not read from a closed terminal, whose descriptor may belong to another file', () => {
    const { receive, close, available } = terminal('of another file')
    close()
    expect(receive(flood)).toBe(flood)
    expect(available).toHaveLength(1)
  })
})
