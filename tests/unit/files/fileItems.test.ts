import { describe, expect, it } from 'vitest'
import {
  freeName,
  itemsByName,
  pathText,
  plainText,
  rawFromBytes,
  rawFromText,
  sortedBy,
  symbolicMode,
} from '../../../src/custom/files/transfer/remotePath.ts'
import { bytesOfPathText, pathTextOf } from '../../../src/domain/files/pathText.ts'

describe('names of files', () => {
  it.each([
    ['plain.txt', 'plain.txt'],
    ['100%', '100%25'],
    ['a%41', 'a%2541'],
    ['日本語', '日本語'],
    ['\ufeffmark', '\ufeffmark'],
  ])('%j is %j in a request', (name, text) => {
    const bytes = new TextEncoder().encode(name)
    expect(pathTextOf(bytes)).toBe(text)
    expect(bytesOfPathText(text)).toEqual(bytes)
    expect(bytesOfPathText(pathText(rawFromText(name)))).toEqual(bytes)
  })

  it('keep bytes that are no UTF-8', () => {
    const bytes = Uint8Array.of(0x63, 0xe9, 0x25, 0x0a)
    expect(pathTextOf(bytes)).toBe('c%e9%25\n')
    expect(bytesOfPathText('c%E9%25\n')).toEqual(bytes)
    expect(bytesOfPathText(pathText(rawFromBytes(bytes)))).toEqual(bytes)
    expect(new TextDecoder().decode(bytesOfPathText('50% of %z1'))).toBe('50% of %z1')
  })

  it('of copies are free', () => {
    expect(freeName('notes.txt', new Set(['notes.txt']))).toBe('notes (2).txt')
    expect(freeName('notes.txt', new Set(['notes (2).txt']))).toBe('notes (3).txt')
    expect(freeName('.profile', new Set())).toBe('.profile (2)')
  })
})

describe('the columns of a folder', () => {
  const item = (name: string, size: number, more = {}) => ({
    name,
    kind: 'file' as const,
    size,
    mode: '0644',
    owner: 'ann',
    group: 'ann',
    ...more,
  })
  const items = itemsByName([item('a', 5), item('b', 70, { modified: '2026-11-27T08:00:00Z' }), item('caf%e9', 9)])
  const entries = ['dir', 'a', 'b', 'caf\xe9', 'new'].map((raw) => {
    return { raw, name: plainText(raw), isFolder: raw === 'dir' }
  })
  const names = (key: 'name' | 'size' | 'modified', isDescending: boolean) =>
    sortedBy(entries, items, { key, isDescending }).map(({ raw }) => raw)

  it('sort with folders first, and what nothing is known of at one end', () => {
    expect(names('size', true)).toEqual(['dir', 'b', 'caf\xe9', 'a', 'new'])
    expect(names('size', false)).toEqual(['dir', 'new', 'a', 'caf\xe9', 'b'])
    expect(names('name', true)).toEqual(['dir', 'new', 'caf\xe9', 'b', 'a'])
    expect(names('modified', true)).toEqual(['dir', 'b', 'a', 'caf\xe9', 'new'])
  })

  it('show rights as ls does', () => {
    expect(['0644', '2755', '4711', '1777', '1666', '6000'].map(symbolicMode)).toEqual([
      'rw-r--r--',
      'rwxr-sr-x',
      'rws--x--x',
      'rwxrwxrwt',
      'rw-rw-rwT',
      '--S--S---',
    ])
  })
})
