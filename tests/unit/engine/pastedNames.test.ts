import { describe, expect, it } from 'vitest'
import { readPastedNames } from '../../../src/engine/kinds/reference/pastedNames.ts'

const records = [
  { id: 1, name: 'web-1' },
  { id: 2, name: 'Web 2' },
  { id: 3, name: 'twin' },
  { id: 4, name: 'twin' },
  { id: 5, name: '' },
]

const nameOf = (record: { id: unknown; name?: string }) => record.name ?? ''

describe('Pasted names', () => {
  it('are split at any separator and matched, and unknown ones are reported', () => {
    expect(readPastedNames('WEB-1\r\nweb 2, twin;#5\tgone\n\nweb-1', records, nameOf)).toEqual({
      ids: [1, 2, 3, 4, 5],
      unknown: ['gone'],
    })
  })

  it('are not a list when there is only one', () => {
    expect(readPastedNames(' web-1 \n', records, nameOf)).toBeUndefined()
  })

  it('are found fast among 10,000 records', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ id: index + 1, name: `host-${index}` }))
    const start = process.cpuUsage()
    const pasted = readPastedNames(
      many
        .slice(0, 200)
        .map(({ name }) => name)
        .join('\n'),
      many,
      nameOf,
    )
    expect(pasted?.ids).toHaveLength(200)
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(500)
  })
})
