import { createHash } from 'node:crypto'
import { createAvatar } from '@dicebear/core'
import * as notionists from '@dicebear/notionists'
import { expect, it } from 'vitest'

it('the face of a name stays the same with another version of the library', () => {
  const drawing = createAvatar(notionists, { seed: 'admin' })
    .toString()
    .replace(/<metadata.*<\/metadata>/s, '')
  expect(createHash('sha256').update(drawing).digest('hex')).toBe(
    'd148fcddfbf9d179e6b3764b8325147a28c621159548ae8de7851062d9b795c0',
  )
})
