import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../support/root.ts'

/** What outlives the file that does it, in a process that other files share. */
const processChange = /\bvi\.(?:do)?[mM]ock\(|\bprocess\.umask\(|\basUnprivilegedUser\(|\bprocess\.chdir\(/

it('a test file that changes its process is named *.isolated.test.ts, *.heavy.test.ts or *.alone.test.ts', () => {
  const files = readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.endsWith(join('project', 'testFiles.test.ts')))
    .filter((file) => processChange.test(readFileSync(join(root, 'tests', file), 'utf8')))
  expect(files.length).toBeGreaterThan(5)
  expect(files.filter((file) => !/\.(?:isolated|heavy|alone)\.test\.tsx?$/.test(file))).toEqual([])
})
