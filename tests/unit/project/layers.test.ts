import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { describe, expect, it } from 'vitest'
import { allImports, type Import, importsIn, neededBy } from '../../support/project/importLines.ts'
import { isAllowed, layerOf, layersAsMarkdown, sides } from '../../support/project/layers.ts'
import { root } from '../../support/root.ts'

const describeImport = ({ file, target, isType }: Import) => `${file} imports ${isType ? 'types of ' : ''}${target}`

/** The console is loaded behind the form, so what these need does not count for it. */
const loadedLater = new Set(['src/app/App.tsx', 'i18n/index.ts'])

/** Imports of the project's own modules. */
const ownImports = allImports.filter(({ target }) => /^(src|i18n|server)\/.*\.(tsx?|css)$/.test(target))

/** Files that each count on their own: loose ones, and those of entities, which show one another. */
const isLoose = (file: string) => ['src', 'server', 'i18n'].includes(dirname(file)) || file.startsWith('src/resources/')
const folderOf = (file: string) => (isLoose(file) ? file : dirname(file))

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
  it('go to their own layer or to one below it', () => {
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

  it('name the definition of an entity in the registry alone', () => {
    const definition = /^src\/resources\/[^/]+\/index\.tsx?$/
    const named = allImports.filter(({ file, target }) => definition.test(target) && file !== 'src/resources/index.ts')
    expect(allImports.some(({ target }) => definition.test(target))).toBe(true)
    expect(named.map(describeImport)).toEqual([])
  })

  it('carry the extension of the file, because Node runs some of them as they are', () => {
    const bare = allImports.filter(
      ({ target }) => /^(src|i18n|server)\//.test(target) && !/\.(tsx?|css|json)$/.test(target),
    )
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

describe('The layers', () => {
  it('are printed in CONTRIBUTING', () => {
    expect(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')).toContain(layersAsMarkdown())
  })

  it('hold every file, and nothing that is gone', () => {
    const own = [...new Set(allImports.flatMap(({ file, target }) => [file, target]))].filter((file) =>
      /^(src|i18n|server)\//.test(file),
    )
    expect(own.filter((file) => layerOf(file) === undefined)).toEqual([])
    const covered = (entry: string) => own.some((file) => file === entry || file.startsWith(entry))
    expect(sides.flatMap((side) => side.flatMap(({ holds }) => holds)).filter((entry) => !covered(entry))).toEqual([])
  })

  const refused = (file: string, source: string) => importsIn(file, source).filter((one) => !isAllowed(one)).length

  it.each([
    ['src/schemas/nat.ts', "import { useState } from 'react'"],
    ['src/schemas/nat.ts', "import { request } from '../api/apiClient.ts'"],
    ['src/api/apiClient.ts', "import Button from '@mui/material/Button'"],
    ['src/api/apiClient.ts', "import App from '../app/App.tsx'"],
    ['src/records/queryRows.ts', "import { dataProvider } from '../dataProvider.ts'"],
    ['src/dataProvider.ts', "import nat from './resources/nat/index.ts'"],
    ['src/engine/list/RecordTable.tsx', "import nat from '../../resources/nat/index.ts'"],
    ['src/engine/list/RecordTable.tsx', "const page = import('../../custom/profile/ProfilePage.tsx')"],
    ['src/resources/nat/index.ts', "import { Layout } from '../../app/layout/Layout.tsx'"],
    ['i18n/index.ts', "import { queryRows } from '../src/records/queryRows.ts'"],
    ['server/api/crud.ts', "import { queryRows } from '../../src/records/queryRows.ts'"],
    ['server/api/crud.ts', "import { startTasks } from '../tasks/tasksPlugin.ts'"],
    ['server/api/crud.ts', "export * from 'react'"],
    ['server/db/store.ts', "import Fastify from 'fastify'"],
    ['src/main.tsx', "import { store } from '../server/db/store.ts'"],
  ])('do not let %s say %s', (file, source) => {
    expect(refused(file, source)).toBe(1)
  })

  it.each([
    ['src/engine/actions/ActionRunner.tsx', "import type { DataCall } from '../../dataProvider.ts'"],
    ['src/resources/nat/index.ts', "import { CopyCell } from '../../components/cells/CopyCell.tsx'"],
    ['server/api/crud.ts', "import {\n  entities,\n} from '../../src/schemas/index.ts'"],
  ])('let %s say %s', (file, source) => {
    expect(importsIn(file, source)).toHaveLength(1)
    expect(refused(file, source)).toBe(0)
  })
})
