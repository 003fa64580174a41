import { describe, expect, it } from 'vitest'
import { findNamed, readNames } from '../../../src/engine/kinds/reference/pastedNames.ts'
import { expectLessProcessorTime } from '../../support/processorTime.ts'

const records = [
  { id: 1, name: 'web-1' },
  { id: 2, name: 'Web 2' },
  { id: 3, name: 'twin' },
  { id: 4, name: 'twin' },
  { id: 5, name: '' },
]

/** The records of a text, as the picker finds them. */
const recordsIn = (text: string, among: readonly { id: number; name: string }[]) => {
  const names = readNames(text)
  return names && findNamed(names, among, nameOf)
}

const nameOf = (record: { id: unknown; name?: string }) => record.name ?? ''

describe('Pasted names', () => {
  it('are split at any separator and matched, and unknown ones are reported', () => {
    expect(recordsIn('WEB-1\r\nweb 2, twin;#5\tgone\n\nweb-1', records)).toEqual({
      ids: [1, 2, 3, 4, 5],
      unknown: ['gone'],
    })
  })

  it('are not a list when there is only one', () => {
    expect(recordsIn(' web-1 \n', records)).toBeUndefined()
  })

  it('are found fast among 10,000 records', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ id: index + 1, name: `host-${index}` }))
    const names = many.slice(0, 200).map(({ name }) => name)
    await expectLessProcessorTime(500, () => expect(recordsIn(names.join('\n'), many)?.ids).toHaveLength(200))
  })
})
