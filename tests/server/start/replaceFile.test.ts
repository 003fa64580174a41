import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { replaceFile } from '../../../server/replaceFile.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

it('gives a file another text and the mode that was asked for, and leaves nothing beside it', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'seen')
  writeFileSync(path, 'before')
  // What a killed process left, open to others.
  writeFileSync(`${path}.part`, 'half')
  chmodSync(`${path}.part`, 0o644)
  replaceFile(path, 'after', 0o600)
  expect(readFileSync(path, 'utf8')).toBe('after')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['seen'])
  replaceFile(path, 'after', 0o666)
  expect(statSync(path).mode & 0o777).toBe(0o666)
})

it('leaves what was there, and nothing beside it, where that cannot be replaced', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'seen')
  mkdirSync(path)
  expect(() => replaceFile(path, 'after')).toThrow(/EISDIR|EEXIST|EPERM/)
  expect(readdirSync(folder)).toEqual(['seen'])
})
