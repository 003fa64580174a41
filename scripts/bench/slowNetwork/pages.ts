import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../../bootstrap/build.mjs'
import { root } from '../../bootstrap/paths.mjs'
import { buildBaseline } from '../baseline/buildBaseline.ts'

interface Pages {
  /** Folder with the build and the least page, each file beside its compressed forms. */
  compressed: string
  /** The same without compressed forms. */
  plain: string
}

/** The real build and the least page of React and MUI in one folder, so that both are served the same way. */
export async function preparePages(): Promise<Pages> {
  await ensureBuilt(process.execPath)
  const builds = [join(root, 'dist'), await buildBaseline('muiPage')]
  const [compressed, plain] = [0, 0].map(() => {
    const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-pages-'))
    for (const build of builds) cpSync(build, folder, { recursive: true })
    return folder
  }) as [string, string]
  for (const file of readdirSync(plain, { recursive: true, encoding: 'utf8' })) {
    if (/\.(br|gz)$/.test(file)) rmSync(join(plain, file))
  }
  return { compressed, plain }
}
