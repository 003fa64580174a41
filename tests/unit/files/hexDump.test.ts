import { expect, it } from 'vitest'
import { hexDump, typedOffset } from '../../../src/custom/files/view/FileViewer.tsx'

it('bytes are shown with their offset and what of them is text', () => {
  const bytes = Uint8Array.from([...new TextEncoder().encode('Hello, \0world\n~'), 0xff, 0x7f])
  expect(hexDump(bytes)).toBe(
    [
      '00000000  48 65 6c 6c 6f 2c 20 00  77 6f 72 6c 64 0a 7e ff  |Hello, .world.~.|',
      '00000010  7f                                                |.|',
    ].join('\n'),
  )
  expect(hexDump(new Uint8Array())).toBe('')
  expect(hexDump(Uint8Array.of(0x41), 0x1_2345_6789)).toMatch(/^123456789 {2}41 .*\|A\|$/)
})

it('a byte to go to is typed as a number, decimal or hexadecimal', () => {
  expect(['4096', ' 0x1000 ', '0X1F', '-1', '1.5', 'ff', ''].map(typedOffset)).toEqual([
    4096,
    4096,
    31,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(typedOffset('9'.repeat(20))).toBeUndefined()
})
