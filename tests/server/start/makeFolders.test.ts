import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolders, makeFoldersSync } from '../../../server/makeFolders.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

describe.each([
  ['while others are served', makeFolders],
  ['at the start', async (path: string, mode?: number) => makeFoldersSync(path, mode)],
])('folders that are made %s', (_when, make) => {
  it('come with those above them, and stay as they are when they are there', async () => {
    const folder = join(temporaryFolder(), 'deep')
    await make(join(folder, 'data'), 0o700)
    expect([folder, join(folder, 'data')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700])
    mkdirSync(join(folder, 'open'), { mode: 0o755 })
    await make(join(folder, 'open'), 0o700)
    expect(statSync(join(folder, 'open')).mode & 0o777).toBe(0o755)
  })

  it('are there for all who make them at once', async () => {
    const path = join(temporaryFolder(), 'a', 'b', 'c', 'd')
    await Promise.all(Array.from({ length: 8 }, () => make(path)))
    expect(statSync(path).isDirectory()).toBe(true)
  })

  it('are an error below a file', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, 'mine')
    await expect(make(file)).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(make(join(file, 'data'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it.runIf(process.platform === 'linux')(
    'are an error, and not tried for ever, where the system makes none',
    async () => {
      await expect(make('/proc/wheelhouse/data')).rejects.toMatchObject({ code: 'ENOENT' })
    },
  )
})
