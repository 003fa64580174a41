import { describe, expect, it } from 'vitest'
import { allImports, type Import, importsIn, neededBy } from '../../support/project/importLines.ts'
import { isAllowed, roomOf } from '../../support/project/rooms.ts'

const said = ({ file, target, isType }: Import) => `${file} imports ${isType ? 'types of ' : ''}${target}`

/** The console is fetched behind the form, so what these need does not count for it. */
const fetchedLater = new Set(['src/app/App.tsx', 'i18n/index.ts'])

describe('Imports', () => {
  it('go only where the table of rooms lets them', () => {
    expect(allImports.length).toBeGreaterThan(100)
    expect(allImports.filter((one) => !isAllowed(one)).map(said)).toEqual([])
  })

  it('of a definition never name another definition', () => {
    const definitions = allImports.filter(
      ({ file, target }) =>
        roomOf(file) === 'src/resources/' && roomOf(target) === 'src/resources/' && file !== 'src/resources/index.ts',
    )
    expect(definitions.map(said)).toEqual([])
  })

  it('carry the ending of the file, for Node runs some of them as they are', () => {
    const bare = allImports.filter(({ target }) => /^(src|i18n|server)\//.test(target) && !/\.(tsx?|css)$/.test(target))
    expect(bare.map(said)).toEqual([])
  })

  it.each(['zod', '@mui/', 'react-admin', 'ra-core', 'react-router', '@tanstack/'])(
    'of the sign-in form and the entry never lead to %s, through whatever file',
    (heavy) => {
      for (const file of ['src/main.tsx', 'src/custom/login/Login.tsx']) {
        const first = [...neededBy(file, fetchedLater)]
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

describe('The table', () => {
  const refused = (file: string, source: string) => importsIn(file, source).filter((one) => !isAllowed(one)).length

  it.each([
    ['src/schemas/nat.ts', "import { useState } from 'react'"],
    ['src/schemas/nat.ts', "import { request } from '../apiClient.ts'"],
    ['src/api/apiClient.ts', "import { use } from 'react'"],
    ['src/api/apiClient.ts', "import App from './App.tsx'"],
    ['src/api/apiClient.ts', "import { startLive } from './live/store.ts'"],
    ['src/dataProvider.ts', "import nat from './resources/nat.ts'"],
    ['src/resources/engine/list/RecordRow.tsx', "import { request } from '../../apiClient.ts'"],
    ['src/resources/engine/list/RecordRow.tsx', "import { dataProvider } from '../../dataProvider.ts'"],
    ['src/resources/engine/list/RecordRow.tsx', "import nat from '../nat.ts'"],
    ['src/resources/engine/list/RecordRow.tsx', "const page = import('../../custom/profile/Profile.tsx')"],
    ['src/resources/engine/list/RecordRow.tsx', "import { useNavigate } from 'react-router'"],
    ['src/resources/nat.ts', "import { Layout } from '../custom/layout/Layout.tsx'"],
    ['src/custom/layout/Layout.tsx', "import { resources } from '../../resources/index.ts'"],
    ['src/custom/login/Login.tsx', "import Button from '@mui/material/Button'"],
    ['i18n/index.ts', "import { entities } from '../src/schemas/index.ts'"],
    ['server/api/crud.ts', "import { queryRows } from '../src/records/queryRows.ts'"],
    ['server/api/crud.ts', "export * from 'react'"],
  ])('does not let %s say %s', (file, source) => {
    expect(refused(file, source)).toBe(1)
  })

  it.each([
    [
      'src/resources/engine/actions/ActionRunner.tsx',
      "import type { ConsoleDataProvider } from '../../dataProvider.ts'",
    ],
    ['src/resources/nat.ts', "import { CopyCell } from '../custom/cells/CopyCell.tsx'"],
    ['server/api/crud.ts', "import {\n  entities,\n} from '../src/schemas/index.ts'"],
  ])('lets %s say %s', (file, source) => {
    expect(importsIn(file, source)).toHaveLength(1)
    expect(refused(file, source)).toBe(0)
  })
})
