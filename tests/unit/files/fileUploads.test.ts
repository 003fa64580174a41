import { describe, expect, it } from 'vitest'
import { type LocalFile, pickedFiles } from '../../../src/custom/files/transfer/droppedFiles.ts'
import { type Entry, rawFromText, shownPath } from '../../../src/custom/files/transfer/remotePath.ts'
import { planUploads } from '../../../src/custom/files/transfer/uploadPlan.ts'
import { trackProgress } from '../../../src/custom/files/transfer/useTransferDialog.ts'

const local = (path: string): LocalFile => ({ path, file: new File(['x'], path.replace(/.*\//, '')) })

/** Folders of a machine and what is in them; a name that ends in a slash is a folder. */
function machine(folders: Record<string, string[]>) {
  const asked: string[] = []
  const list = async (path: string): Promise<Entry[] | undefined> => {
    asked.push(shownPath(path))
    return folders[shownPath(path)]?.map((name) => ({
      raw: rawFromText(name.replace('/', '')),
      name: name.replace('/', ''),
      isFolder: name.endsWith('/'),
    }))
  }
  return { list, asked }
}

describe('a plan for uploads', () => {
  it('knows which files are there already, and keeps the paths inside dropped folders', async () => {
    const { list } = machine({ '/srv': ['a.txt', 'site/'], '/srv/site': ['é.png'] })
    const plan = await planUploads('/srv', { files: [local('a.txt'), local('b.txt'), local('site/é.png')] }, list)
    expect(plan.uploads.map(({ target, exists }) => [shownPath(target), exists])).toEqual([
      ['/srv/a.txt', true],
      ['/srv/b.txt', false],
      ['/srv/site/é.png', true],
    ])
    expect([plan.missingFolders, plan.blocked]).toEqual([[], []])
  })

  it('names missing folders before the start, leaves their files out, and asks for none inside them', async () => {
    const { list, asked } = machine({ '/srv': [] })
    const plan = await planUploads(
      '/srv',
      { files: [local('new/a'), local('new/b'), local('new/deep/c'), local('d')] },
      list,
    )
    expect(plan.missingFolders).toEqual(['/srv/new', '/srv/new/deep'])
    expect([plan.leftOut, plan.uploads.map(({ name }) => name)]).toEqual([3, ['d']])
    expect(asked).toEqual(['/srv', '/srv/new'])
  })

  it('makes folders that are missing where the machine can, those without files too, and asks about the others', async () => {
    const { list, asked } = machine({ '/srv': ['site/'], '/srv/site': ['a'] })
    const files = [local('site/a'), local('new/deep/b'), local('c')]
    const plan = await planUploads('/srv', { files, folders: ['new/empty', 'site'] }, list, true)
    expect(plan.newFolders).toEqual(['/srv/new/deep', '/srv/new/empty'])
    expect(plan.uploads.map(({ target, exists }) => [target, exists])).toEqual([
      ['/srv/c', false],
      ['/srv/new/deep/b', false],
      ['/srv/site/a', true],
    ])
    expect([plan.missingFolders, plan.leftOut]).toEqual([[], 0])
    expect(asked).toEqual(['/srv', '/srv/new/deep', '/srv/new/empty', '/srv/site'])
  })

  it('does not send a file where a folder has its name', async () => {
    const { list } = machine({ '/srv': ['site/'] })
    const plan = await planUploads('/srv', { files: [local('site')] }, list)
    expect([plan.blocked, plan.uploads]).toEqual([['site'], []])
  })

  it('starts from what a picker gives, with the path inside a picked folder', () => {
    const inFolder = Object.defineProperty(new File([''], 'a'), 'webkitRelativePath', { value: 'site/a' })
    expect(pickedFiles([inFolder, new File([''], 'b')]).map(({ path }) => path)).toEqual(['site/a', 'b'])
  })
})

describe('the progress of a transfer', () => {
  it('show speed and time left of the last seconds, and none before half a second', () => {
    const follow = trackProgress(10_000, 0)
    expect(follow(100, 100)).toEqual({ done: 100, total: 10_000 })
    expect(follow(2_000, 1_000)).toMatchObject({ speed: 2_000, left: 4 })
    // It stands still: seconds later it is slow, however fast it was.
    for (let at = 2_000; at <= 9_000; at += 1_000) follow(2_000, at)
    expect(follow(2_000, 10_000)).toEqual({ done: 2_000, total: 10_000, speed: 0, left: undefined })
  })
})
