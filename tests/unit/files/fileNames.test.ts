import { describe, expect, it } from 'vitest'
import { breadcrumb } from '../../../src/custom/files/list/PathBar.tsx'
import {
  bytesOfRaw,
  filteredEntries,
  findByTyping,
  joinPath,
  normalPath,
  parentOf,
  rawFromBytes,
  rawFromText,
  shownPath,
  sortedEntries,
  typedPath,
} from '../../../src/custom/files/transfer/remotePath.ts'
import { imageTypeOf, languageOf } from '../../../src/custom/files/view/readForView.ts'

const entry = (name: string | number[], isDirectory = false) => ({
  name: typeof name === 'string' ? new TextEncoder().encode(name) : Uint8Array.from(name),
  isDirectory,
})

describe('a path', () => {
  it('keeps bytes that are no text, and shows them replaced', () => {
    const bytes = Uint8Array.of(0x2f, 0x61, 0xff, 0xfe, 0xc3, 0xbc)
    expect(bytesOfRaw(rawFromBytes(bytes))).toEqual(bytes)
    expect(shownPath(rawFromBytes(bytes))).toBe('/a\ufffd\ufffdü')
    expect(shownPath(rawFromText('/目录/😀'))).toBe('/目录/😀')
  })

  it.each([
    ['/a//b/', '/a/b'],
    ['/a/./b/../c', '/a/c'],
    ['/../..', '/'],
    ['/', '/'],
    ['C:\\Users/', 'C:\\Users'],
  ])('%s is the same place as %s', (written, plain) => expect(normalPath(written)).toBe(plain))

  it('leads up and down', () => {
    expect([parentOf('/a/b'), parentOf('/a'), parentOf('/')]).toEqual(['/a', '/', undefined])
    expect([joinPath('/', 'a'), joinPath('/a', 'b')]).toEqual(['/a', '/a/b'])
  })

  it('can be typed from the root, from the open folder, or as home', () => {
    expect(typedPath(' /etc/../var ', '/home')).toBe('/var')
    expect(typedPath('../x', '/home/ann')).toBe('/home/x')
    expect([typedPath('~', '/x'), typedPath('', '/x')]).toEqual(['', ''])
  })
})

describe('the breadcrumb', () => {
  const names = (path: string) => {
    const { shown, ancestors } = breadcrumb(path)
    return [shown, ancestors].map((steps) => steps.map(({ name }) => name).join(' '))
  }

  it('shows the last three steps; the others are above, the nearest first', () => {
    expect(names('/')).toEqual(['/', ''])
    expect(names('/a/b')).toEqual(['/ a b', ''])
    expect(names('/a/b/c/d')).toEqual(['b c d', 'a /'])
    expect(breadcrumb('/a/b/c').shown.map(({ path }) => path)).toEqual(['/a', '/a/b', '/a/b/c'])
  })
})

describe('entries', () => {
  const all = [entry('b10'), entry('.git', true), entry('b9'), entry([0x78, 0xff]), entry('zoo', true), entry('.rc')]
  const sorted = sortedEntries(all, 'en-US')

  it('are sorted by type, folders first, then by name, numbers by their value', () => {
    expect(sorted.map(({ name }) => name)).toEqual(['.git', 'zoo', '.rc', 'b9', 'b10', 'x\ufffd'])
    expect(sorted.at(-1)?.raw).toBe('x\xff')
  })

  it('are in the same order whether or not all names are plain ASCII', () => {
    const plain = ['b10', 'B9', 'a-1', 'a.2', 'log.0010', 'log.9', 'Z', '7z', '12'].map((name) => entry(name))
    const names = (list: typeof plain) => sortedEntries(list, 'en-US').map(({ name }) => name)
    expect(names(plain)).toEqual(['7z', '12', 'a-1', 'a.2', 'B9', 'b10', 'log.9', 'log.0010', 'Z'])
    expect(names([...plain, entry('zü')])).toEqual([...names(plain), 'zü'])
  })

  it('are narrowed by what is typed, whatever its case, and hidden ones stay away until they are wanted', () => {
    const names = (text: string, hidden: boolean) => filteredEntries(sorted, text, hidden).map(({ name }) => name)
    expect(names('', false)).toEqual(['zoo', 'b9', 'b10', 'x\ufffd'])
    expect(names('B1', false)).toEqual(['b10'])
    expect(names('rc', true)).toEqual(['.rc'])
    expect(filteredEntries(sorted, ' ', true)).toBe(sorted)
  })

  it('are found by typing, from where one stands and around the end', () => {
    expect(findByTyping(sorted, 'b', 0)).toBe(3)
    expect(findByTyping(sorted, 'B', 4)).toBe(4)
    expect(findByTyping(sorted, 'b9', 4)).toBe(3)
    expect(findByTyping(sorted, 'q', 0)).toBe(-1)
    expect(findByTyping([], 'q', 0)).toBe(-1)
  })
})

describe('the name of a file', () => {
  it.each([
    ['/etc/nginx/sites-enabled/default', 'nginx'],
    ['/srv/Dockerfile', 'dockerfile'],
    ['/root/.bashrc', 'shell'],
    ['/x/docker-compose.YML', 'yaml'],
    ['/x/sshd.conf', 'properties'],
    ['/x/notes.txt', undefined],
    ['/x/json', 'json'],
  ])('%s tells its language', (path, language) => expect(languageOf(path)).toBe(language))

  it('is recognized as a picture by its ending', () => {
    expect([imageTypeOf('a.PNG'), imageTypeOf('a.svg'), imageTypeOf('png'), imageTypeOf('a.txt')]).toEqual([
      'image/png',
      'image/svg+xml',
      undefined,
      undefined,
    ])
  })
})
