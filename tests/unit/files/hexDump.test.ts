import { expect, it } from 'vitest'
import { hexDump, hexLimit } from '../../../src/custom/files/view/hexDump.ts'

it('bytes are shown with their offset and what of them is text, up to a limit', () => {
  const bytes = Uint8Array.from([...new TextEncoder().encode('Hello, \0world\n~'), 0xff, 0x7f])
  expect(hexDump(bytes)).toBe(
    [
      '00000000  48 65 6c 6c 6f 2c 20 00  77 6f 72 6c 64 0a 7e ff  |Hello, .world.~.|',
      '00000010  7f                                                |.|',
    ].join('\n'),
  )
  expect(hexDump(new Uint8Array())).toBe('')
  expect(hexDump(new Uint8Array(hexLimit + 100)).split('\n')).toHaveLength(hexLimit / 16)
})
