import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contentHash } from '../../../scripts/bootstrap/contentHash.mjs'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

function sources() {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'src', 'deep'), { recursive: true })
  writeFileSync(join(folder, 'src', 'deep', 'page.ts'), 'one')
  writeFileSync(join(folder, 'index.html'), '<html>')
  return { folder, hash: () => contentHash(folder, ['src', 'index.html', 'public']) }
}

describe('the stamp of a build', () => {
  it('stays the same when only the dates of the files change', () => {
    const { folder, hash } = sources()
    const before = hash()
    utimesSync(join(folder, 'index.html'), new Date(0), new Date(0))
    expect(hash()).toBe(before)
  })

  it('changes with the content of a file in a nested folder', () => {
    const { folder, hash } = sources()
    const before = hash()
    writeFileSync(join(folder, 'src', 'deep', 'page.ts'), 'two')
    expect(hash()).not.toBe(before)
  })

  it('changes when a file is renamed', () => {
    const { folder, hash } = sources()
    const before = hash()
    renameSync(join(folder, 'src', 'deep', 'page.ts'), join(folder, 'src', 'deep', 'screen.ts'))
    expect(hash()).not.toBe(before)
  })

  it('changes when a folder that was absent appears', () => {
    const { folder, hash } = sources()
    const before = hash()
    mkdirSync(join(folder, 'public'))
    writeFileSync(join(folder, 'public', 'icon.svg'), '<svg/>')
    expect(hash()).not.toBe(before)
  })
})
