import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { endOfArchive, paddingOf, tarHeader } from '../../../server/inspect/transfers/archiveFiles.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const nobody = { id: 0, name: '' }
const about = { mode: 0o644, modified: 5, owner: nobody, group: nobody }
const listed = (archive: Buffer, ...more: string[]) => {
  const path = join(temporaryFolder(), 'archive.tar')
  writeFileSync(path, archive)
  return execFileSync('tar', ['-tvf', path, '--full-time', '--utc', '--numeric-owner', ...more], { encoding: 'utf8' })
}

it('dates before 1970, and ids and owners of any length, are read by tar as they are', () => {
  const folder = temporaryFolder()
  const odd = { ...about, modified: -86_400, owner: { id: 3_000_000_000, name: 'é'.repeat(40) }, group: nobody }
  const archive = Buffer.concat([tarHeader({ ...odd, relative: Buffer.from('old') }, 'file'), endOfArchive])
  expect(listed(archive)).toMatch(/3000000000\/0\s+0 1969-12-31 00:00:00 old/)
  writeFileSync(join(folder, 'archive'), archive)
  mkdirSync(join(folder, 'out'))
  execFileSync('tar', ['--no-same-owner', '-xf', '../archive'], { cwd: join(folder, 'out') })
  expect(statSync(join(folder, 'out', 'old')).mtimeMs).toBe(-86_400_000)
})

it('names of 99 to 4096 bytes, links as long, and sizes of 8 GiB and more are read by tar', () => {
  for (const length of [99, 100, 101, 511, 512, 513, 4000, 4096]) {
    const relative = Buffer.from(`${`${'d/'.repeat(length / 2)}xxx`.slice(0, length - 1)}n`)
    const parts = [
      tarHeader({ ...about, relative, target: relative }, 'link'),
      tarHeader({ ...about, relative }, 'folder'),
      tarHeader({ ...about, relative: Buffer.from('last') }, 'file', 3),
      Buffer.from('abc'),
      paddingOf(3),
      endOfArchive,
    ]
    const names = listed(Buffer.concat(parts))
      .trim()
      .split('\n')
      .map((line) => line.split(' 00:00:05 ')[1])
    expect(names).toEqual([`${relative} -> ${relative}`, `${relative}/`, 'last'])
  }
  for (const size of [8 * 2 ** 30 - 1, 8 * 2 ** 30, 2 ** 45 + 7]) {
    const header = tarHeader({ ...about, relative: Buffer.from('large') }, 'file', size)
    // Only the header is there: tar reads it, and complains about the rest.
    const path = join(temporaryFolder(), 'archive.tar')
    writeFileSync(path, header)
    const said = execFileSync('sh', ['-c', 'tar -tvf "$1" 2>/dev/null; true', 'sh', path], { encoding: 'utf8' })
    expect(said).toContain(` ${size} `)
  }
})
