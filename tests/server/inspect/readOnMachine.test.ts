import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { failure, programsOf } from '../../../server/inspect/machine/programs.ts'
import { folders } from '../../../server/inspect/subjects/folders.ts'
import { type LogQuery, logs } from '../../../server/inspect/subjects/logs.ts'
import { openFiles } from '../../../server/inspect/subjects/openFiles.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { createTestHost } from '../../support/server/testHost.ts'

const programs = programsOf(createTestHost(), '2.1.0')
const read = (query: LogQuery) => logs.ask(programs, query, undefined)

it('a log file is read back from its end, page after page, each line once', async () => {
  const file = join(temporaryFolder(), 'a.log')
  const written = Array.from({ length: 25_000 }, (_, index) => `12:00:${index} line ${index} of a log that is long`)
  writeFileSync(file, `${written.join('\n')}\n`)
  const found: string[] = []
  let before: string | undefined
  do {
    const { items, earlier } = await read({ file, lines: 2000, ...(before && { before }) })
    found.unshift(...items.map(({ message }) => message))
    before = earlier
  } while (before)
  expect(found).toEqual(written)
})

it('a search in a log file finds a page of lines, and goes on before them', async () => {
  const file = join(temporaryFolder(), 'a.log')
  writeFileSync(file, Array.from({ length: 1000 }, (_, index) => `${index}: ${index % 2 ? 'GET' : 'put'} /\n`).join(''))
  const last = await read({ file, lines: 3, text: 'get' })
  expect(last.items.map(({ message }) => message)).toEqual(['995: GET /', '997: GET /', '999: GET /'])
  const before = await read({ file, lines: 3, text: 'get', before: last.earlier })
  expect(before.items.map(({ message }) => message)).toEqual(['989: GET /', '991: GET /', '993: GET /'])
  expect(await read({ file, text: 'nothing of this' })).toEqual({ items: [] })
})

it('a search finds the line on which one part of a large file ends and the next begins', async () => {
  const file = join(temporaryFolder(), 'a.log')
  const [searched, size, length] = [33_554_432, 36 * 1_048_576, 1024]
  // Where the last part begins: within a line.
  const begin = size - searched
  const text = Buffer.alloc(size, 'x')
  for (let at = length + 500; at < size; at += length) text.write('\n', at)
  text.write('needle', begin + 400)
  writeFileSync(file, text)
  const last = await read({ file, text: 'needle' })
  expect(last.items).toEqual([])
  const before = await read({ file, text: 'needle', before: last.earlier })
  expect(before.items).toHaveLength(1)
  expect(before.items[0]?.message).toMatch(/^x+needlex+$/)
})

it('a line that is longer than an answer is cut, and what comes before it is found', async () => {
  const file = join(temporaryFolder(), 'a.log')
  writeFileSync(file, `first\n${'x'.repeat(1_000_000)}\n`)
  let before: string | undefined
  const found: string[] = []
  do {
    const page = await read({ file, lines: 10, ...(before && { before }) })
    found.unshift(...page.items.map(({ message }) => message.slice(0, 5)))
    before = page.earlier
  } while (before)
  expect(found[0]).toBe('first')
})

it('the largest folders come first, with everything below them', async () => {
  const path = temporaryFolder()
  mkdirSync(join(path, 'a/b'), { recursive: true })
  mkdirSync(join(path, 'c d'))
  writeFileSync(join(path, 'a/b/large'), 'x'.repeat(300_000))
  writeFileSync(join(path, 'c d/small'), 'x'.repeat(50_000))
  const { items } = await folders.ask(programs, { path }, undefined)
  expect(items.map((one) => one.path.slice(path.length))).toEqual(['/a', '/a/b', '/c d'])
  expect(items[1]?.size).toBeGreaterThan(290_000)
  // Not by its name alone.
  mkdirSync(join(path, 'a cut'))
  expect(await folders.ask(programs, { path: join(path, 'a cut') }, undefined)).toEqual({ items: [] })
})

it('this process holds its own files open', async () => {
  const { items } = await openFiles.ask(programs, { pid: process.pid }, undefined)
  expect(items).toContainEqual({ kind: 'file', descriptor: '0', name: expect.any(String) })
  await expect(openFiles.ask(programs, { pid: 4_194_305 }, undefined)).rejects.toThrow(/this process has ended/)
})

it('more open files than an answer has room for are said to be more', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'ls')
  const line = (at: number) => `lrwx------ 1 root root 64 Nov 29 10:00 ${at} -> socket:[${at}]`
  const ask = async (count: number) => {
    const lines = ['total 0', ...Array.from({ length: count }, (_, at) => line(at))]
    writeFileSync(path, `#!/bin/sh\ncat <<'END'\n${lines.join('\n')}\nEND\n`, { mode: 0o755 })
    const host = createTestHost()
    const { exec } = host.operations
    const env = { PATH: `${folder}:${process.env.PATH}` }
    host.operations.exec = (order, signal) => exec({ ...order, env: { ...order.env, ...env } }, signal)
    const said = await openFiles.ask(programsOf(host, '2.1.0'), { pid: process.pid }, undefined)
    return [said.items.filter(({ kind }) => kind === 'file').length, said.truncated]
  }
  expect(await ask(2000)).toEqual([2000, undefined])
  expect(await ask(2001)).toEqual([2000, true])
})

it('of what tar prints the reason is passed on, not its last words', () => {
  const why = 'gzip: stdout: No space left on device'
  const lastWords = [
    '-: Wrote only 2048 of 10240 bytes',
    'Child returned status 1',
    'Error is not recoverable: exiting now',
  ]
  expect(failure(`\n${why}\n${lastWords.map((words) => `tar: ${words}\n`).join('')}`).detail).toBe(why)
  expect(failure('tar: Child returned status 1\n').detail).toBe('tar: Child returned status 1')
})
