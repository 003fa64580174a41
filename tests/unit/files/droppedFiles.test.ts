import { expect, it } from 'vitest'
import { droppedFiles } from '../../../src/custom/files/transfer/droppedFiles.ts'

const file = (path: string, mayBeRead = true) => ({
  isFile: true,
  fullPath: path,
  file: (resolve: (file: File) => void, reject: (error: Error) => void) =>
    mayBeRead ? resolve(new File([path], path)) : reject(new Error('no permission')),
})

/** Gives two entries at a time, as browsers give a hundred. */
const folder = (path: string, children: object[]) => ({
  isFile: false,
  fullPath: path,
  createReader: () => {
    const left = [...children]
    return { readEntries: (resolve: (some: object[]) => void) => resolve(left.splice(0, 2)) }
  },
})

const drop = (...entries: object[]) =>
  droppedFiles({ items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })), files: [] } as never)

it('Dropped folders come with everything inside, by their paths', async () => {
  const { files, folders, unreadable } = await drop(
    folder('/site', [
      file('/site/a'),
      folder('/site/img', [file('/site/img/b')]),
      folder('/site/none', []),
      file('/site/c'),
    ]),
    file('/d'),
  )
  expect(files.map(({ path }) => path)).toEqual(['site/a', 'site/img/b', 'site/c', 'd'])
  expect(folders).toEqual(['site/none'])
  expect(unreadable).toEqual([])
})

it('A dropped file that cannot be read does not stop the others, and is named', async () => {
  const { files, unreadable } = await drop(folder('/site', [file('/site/secret', false), file('/site/a')]))
  expect(files.map(({ path }) => path)).toEqual(['site/a'])
  expect(unreadable).toEqual(['site/secret'])
})
