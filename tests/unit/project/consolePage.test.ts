import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../support/root.ts'

it('a browser does not translate the console, whose figures would stay as they were then', () => {
  expect(readFileSync(join(root, 'index.html'), 'utf8')).toMatch(/<html [^>]*translate="no"/)
})
