import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { describe, expect, it } from 'vitest'
import { allImports, type Import, importsIn, neededBy } from '../../support/project/importLines.ts'
import { isAllowed, roomOf, rooms, roomsAsMarkdown } from '../../support/project/rooms.ts'
import { root } from '../../support/root.ts'

const describeImport = ({ file, target, isType }: Import) => `${file} imports ${isType ? 'types of ' : ''}${target}`

/** The console is loaded behind the form, so what these need does not count for it. */
const loadedLater = new Set(['src/app/App.tsx', 'i18n/index.ts'])

/** Imports of the project's own modules. */
const ownImports = allImports.filter(({ target }) => /^(src|i18n|server)\/.*\.(tsx?|css)$/.test(target))

/** Folders whose files each count on their own: what is loose in them belongs to different rooms. */
const foldersOfRooms = ['src', 'server', 'src/resources', 'i18n']
const folderOf = (file: string) => (foldersOfRooms.includes(dirname(file)) ? file : dirname(file))

/**
 * Cycles of imports between files or folders, each as its imports.
 * @param nodeOf the file itself, or its folder
 */
function importCycles(imports: readonly Import[], nodeOf: (file: string) => string): string[][] {
  const arrows = new Map<string, Set<string>>()
  for (const { file, target } of imports) {
    const [from, to] = [nodeOf(file), nodeOf(target)]
    if (from !== to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to))
  }
  const reached = new Map([...arrows.keys()].map((node) => [node, reachable(node, arrows)]))
  const reaches = (from: string, to: string) => reached.get(from)?.has(to) ?? false
  const inCycle = ({ file, target }: Import) => nodeOf(file) !== nodeOf(target) && reaches(nodeOf(target), nodeOf(file))
  return Object.values(
    Object.groupBy(imports.filter(inCycle), ({ file }) =>
      [...(reached.get(nodeOf(file)) ?? [])]
        .filter((node) => reaches(node, nodeOf(file)))
        .sort()
        .join(),
    ),
  ).map((cycle) => (cycle ?? []).map(describeImport))
}

/** Where arrows lead from a node, by one or more of them. */
function reachable(node: string, arrows: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set(arrows.get(node))
  // Iterating a set includes what is added meanwhile.
  for (const one of found) for (const next of arrows.get(one) ?? []) found.add(next)
  return found
}

describe('Imports', () => {
  it('go only where the table of rooms allows them', () => {
    expect(allImports.length).toBeGreaterThan(100)
    expect(allImports.filter((one) => !isAllowed(one)).map(describeImport)).toEqual([])
  })

  it('never lead from a file back to itself through others, types included', () => {
    expect(importCycles(ownImports, (file) => file)).toEqual([])
  })

  it('never lead from a folder back to itself through others, types included', () => {
    expect(importCycles(ownImports, folderOf)).toEqual([])
  })

  it('are found where they lead in a circle, over two folders and over three', () => {
    const pair = [
      ...importsIn('src/a/one.ts', "import '../b/two.ts'"),
      ...importsIn('src/b/three.ts', "import '../a/four.ts'"),
    ]
    const triple = [
      ...importsIn('src/c/one.ts', "import type { Two } from '../d/two.ts'"),
      ...importsIn('src/d/two.ts', "import '../e/three.ts'"),
      ...importsIn('src/e/three.ts', "import '../c/four.ts'"),
      ...importsIn('src/e/three.ts', "import '../a/one.ts'"),
    ]
    expect(importCycles([...pair, ...triple], folderOf)).toEqual([
      pair.map(describeImport),
      triple.slice(0, 3).map(describeImport),
    ])
    expect(importCycles([...pair, ...triple], (file) => file)).toEqual([])
  })

  it('of a definition never name another definition', () => {
    const definitions = allImports.filter(
      ({ file, target }) =>
        roomOf(file) === 'src/resources/' && roomOf(target) === 'src/resources/' && file !== 'src/resources/index.ts',
    )
    expect(definitions.map(describeImport)).toEqual([])
  })

  it('carry the extension of the file, because Node runs some of them as they are', () => {
    const bare = allImports.filter(({ target }) => /^(src|i18n|server)\//.test(target) && !/\.(tsx?|css)$/.test(target))
    expect(bare.map(describeImport)).toEqual([])
  })

  it.each(['zod', '@mui/', 'react-admin', 'ra-core', 'react-router', '@tanstack/'])(
    'of the sign-in form and the entry never lead to %s, through whatever file',
    (heavy) => {
      for (const file of ['src/main.tsx', 'src/custom/login/Login.tsx']) {
        const first = [...neededBy(file, loadedLater)]
        expect(first.length).toBeGreaterThan(5)
        expect(first.filter((target) => target.startsWith(heavy))).toEqual([])
      }
    },
  )

  it('of what talks to the server never lead to React', () => {
    const needed = [...neededBy('src/api/apiClient.ts')]
    expect(needed).toContain('src/session/token.ts')
    expect(needed.filter((target) => target === 'react' || target.startsWith('react-'))).toEqual([])
  })
})

describe('The table of rooms', () => {
  it('is printed in CONTRIBUTING as the map', () => {
    expect(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')).toContain(roomsAsMarkdown())
  })

  it('has an entry for every file', () => {
    const files = new Set(allImports.flatMap(({ file, target }) => [file, target]))
    const own = [...files].filter((file) => /^(src|i18n|server)\//.test(file))
    expect(own.filter((file) => roomOf(file) === undefined)).toEqual([])
    expect(Object.keys(rooms).filter((room) => !own.some((file) => roomOf(file) === room))).toEqual([])
  })

  it('never lets two rooms import each other', () => {
    const names = Object.keys(rooms)
    const allows = (from: string, to: string) =>
      rooms[from]?.imports.some((entry) => entry.replace('type ', '') === to) ?? false
    const mutual = names.flatMap((one) =>
      names
        .filter((other) => one < other && allows(one, other) && allows(other, one))
        .map((other) => `${one} <-> ${other}`),
    )
    expect(mutual).toEqual([])
  })

  const refused = (file: string, source: string) => importsIn(file, source).filter((one) => !isAllowed(one)).length

  it.each([
    ['src/schemas/nat.ts', "import { useState } from 'react'"],
    ['src/schemas/nat.ts', "import { request } from '../api/apiClient.ts'"],
    ['src/api/apiClient.ts', "import { use } from 'react'"],
    ['src/api/apiClient.ts', "import App from '../app/App.tsx'"],
    ['src/records/queryRows.ts', "import { startLive } from '../live/store.ts'"],
    ['src/dataProvider.ts', "import nat from './resources/nat.ts'"],
    ['src/resources/engine/list/RecordRow.tsx', "import { request } from '../../../api/apiClient.ts'"],
    ['src/resources/engine/list/RecordRow.tsx', "import { dataProvider } from '../../../dataProvider.ts'"],
    ['src/resources/engine/list/RecordRow.tsx', "import nat from '../../nat.ts'"],
    ['src/resources/engine/list/RecordRow.tsx', "const page = import('../../../custom/profile/ProfilePage.tsx')"],
    ['src/resources/nat.ts', "import { Layout } from '../custom/layout/Layout.tsx'"],
    ['src/custom/layout/Layout.tsx', "import { resources } from '../../resources/index.ts'"],
    ['src/custom/login/Login.tsx', "import Button from '@mui/material/Button'"],
    ['i18n/index.ts', "import { entities } from '../src/schemas/index.ts'"],
    ['server/api/crud.ts', "import { queryRows } from '../../src/records/queryRows.ts'"],
    ['server/api/crud.ts', "import { createAuth } from '../auth/auth.ts'"],
    ['server/api/crud.ts', "export * from 'react'"],
  ])('does not let %s say %s', (file, source) => {
    expect(refused(file, source)).toBe(1)
  })

  it.each([
    ['src/resources/engine/actions/ActionRunner.tsx', "import type { DataCall } from '../../../dataProvider.ts'"],
    ['src/resources/nat.ts', "import { CopyCell } from '../custom/cells/CopyCell.tsx'"],
    ['server/api/crud.ts', "import {\n  entities,\n} from '../../src/schemas/index.ts'"],
  ])('lets %s say %s', (file, source) => {
    expect(importsIn(file, source)).toHaveLength(1)
    expect(refused(file, source)).toBe(0)
  })
})
