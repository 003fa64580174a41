import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { Programs } from '../../../server/inspect/machine/programs.ts'
import { listFolder, walkFiles } from '../../../server/inspect/transfers/walkFiles.ts'

function noteLeftOut() {
  const leftOut: { path: string; reason: string }[] = []
  const leaveOut = (path: Uint8Array, reason: string) =>
    void leftOut.push({ path: Buffer.from(path).toString(), reason })
  return { leftOut, leaveOut }
}

const packed = (text: string) => gzipSync(Buffer.from(text, 'latin1')).toString('base64')

const answer = (stdout: string) => ({
  exit_code: 0,
  stdout,
  stderr: '',
  stdout_truncated: false,
  stderr_truncated: false,
  timed_out: false,
  duration_ms: 1,
})

/** A machine that says what it likes about each folder. */
function machine(said: (folder: string, name: string) => string): Programs {
  const script: Programs['script'] = async (_, [folder = '', name = ''] = []) => answer(said(folder, name))
  return { script, run: () => Promise.reject(new Error('not asked')), spentMs: () => 0 }
}

const entry = (name: string, { mode = '81a4', size = '1', modified = '5' } = {}) =>
  `${mode} ${size} ${modified} 1 0 0 root root/./${name}/\n`
const list = (entries: string, links = '') => `${packed(entries)}\n-\n${packed(links)}`
const names = async (stdout: string) =>
  (
    await listFolder(
      machine(() => stdout),
      '/x',
      { mayBeLink: false },
    )
  ).entries.map(({ name }) => name.toString('latin1'))

it('a machine that lies about links does not keep the server busy for ever', async () => {
  // No slash after the first link, and sizes that lead back.
  const lies: [string, string][] = [
    [entry('q', { mode: 'a1ff', size: '0' }) + entry('w', { mode: 'a1ff', size: '2' }), 'q/\nww'],
    [entry('q', { mode: 'a1ff', size: '-3' }), '\nq/\n'],
    [entry('q', { mode: 'a1ff', size: '-1' }), 'q/\n'],
    [entry('q', { mode: 'a1ff', size: '1e999' }), 'q/\n'],
  ]
  for (const [entries, links] of lies) expect(await names(list(entries, links))).toContain('q')
})

it('names that lead out of a folder, cannot be, or are there twice are not taken', async () => {
  const entries = ['', '.', '..', 'a\0b', 'n'.repeat(5000), 'x', 'good'].map((name) => entry(name)).join('')
  expect(await names(list(entries + entry('x', { mode: '41ed' })))).toEqual(['x', 'good'])
  const odd = entry('odd', { size: 'Infinity', modified: '1e400' }) + entry('old', { modified: '-86400' })
  const { entries: read } = await listFolder(
    machine(() => list(odd)),
    '/x',
    { mayBeLink: false },
  )
  expect(read.map(({ size, modified }) => [size, modified])).toEqual([
    [0, 0],
    [1, -86400],
  ])
})

it('millions of entries, or a list that is no list, are refused in words', async () => {
  await expect(names(list(entry('x').repeat(3) + '81a4/./y'.repeat(8_000_000)))).rejects.toThrow('too many entries')
  let many = ''
  for (let at = 0; at < 200_001; at += 1) many += `81a4/./${at.toString(36)}/`
  await expect(names(list(many))).rejects.toThrow('too many entries')
  await expect(names('bm90IHppcHBlZA==\n-\n')).rejects.toThrow('damaged')
})

it('a folder that contains itself, and paths that are too long, end and are named', async () => {
  const { leftOut, leaveOut } = noteLeftOut()
  const long = 'n'.repeat(250)
  const programs = machine((_, name) =>
    list(name ? entry(name, { mode: '41ed' }) : entry(long, { mode: '41ed' }) + entry('file')),
  )
  let count = 0
  for await (const { path } of walkFiles(programs, [Buffer.from('/loop')], leaveOut)) {
    expect(path.length).toBeLessThanOrEqual(4096)
    count += 1
  }
  expect(count).toBe(1 + 16 * 2 + 1)
  expect(leftOut).toEqual([{ path: expect.stringContaining(long), reason: 'its path has more than 4096 bytes' }])
})

it('lists of all folders on one way down are limited together', async () => {
  const { leftOut, leaveOut } = noteLeftOut()
  let many = entry('a', { mode: '41ed' })
  for (let at = 0; at < 120_000; at += 1) many += `81a4/./f${at.toString(36)}/`
  const whole = list(many)
  const programs = machine((_, name) => (name ? list(entry(name, { mode: '41ed' })) : whole))
  const walk = walkFiles(programs, [Buffer.from('/wide')], leaveOut)
  for (let at = 0; at < 5; at += 1) await walk.next()
  expect(leftOut).toEqual([{ path: '/wide/a/a', reason: 'too many entries in it and the folders above it' }])
})
