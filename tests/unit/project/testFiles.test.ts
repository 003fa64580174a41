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

/** Of a test, behind its function, or in its options or those of a wait, in milliseconds. */
const ownTime = /^ *\}, ([\d_]+)\)$|[{ ]timeout: ([\d_]+)/gm
/** As in vitest.config.ts. */
const usualMs = 300_000
const otherTimes: Readonly<Record<string, string>> = {
  [join('server', 'cluster', 'followerLimits.test.ts')]: 'what it waits for would happen later in any case',
  [join('server', 'cluster', 'cluster.test.ts')]: 'it waits longer than others, for the next minute of a chart',
}

it('no test gives itself less time than all have: a busy machine takes it', () => {
  const files = ['texts', 'unit', 'ui', 'server'].flatMap((name) =>
    readdirSync(join(root, 'tests', name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file)),
  )
  const found = files
    .filter((file) => /\.test\.tsx?$/.test(file) && !(file in otherTimes))
    .flatMap((file) =>
      [...readFileSync(join(root, 'tests', file), 'utf8').matchAll(ownTime)]
        .map(([, ofTest, ofWait]) => Number((ofTest ?? ofWait ?? '').replaceAll('_', '')))
        // Below a second it is the time of a timer.
        .filter((ms) => ms >= 1000 && ms < usualMs)
        .map((ms) => `${file}: ${ms}`),
    )
  expect(found).toEqual([])
})
