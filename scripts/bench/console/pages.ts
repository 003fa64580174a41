import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../../bootstrap/build.mjs'
import { root } from '../../bootstrap/paths.mjs'
import { buildBaseline } from '../baseline/buildBaseline.ts'
import type { Condition } from './stopwatch.ts'

/** A page that shows the server list. */
export interface ListPage {
  name: 'console' | 'baseline'
  /** Its address, with so many rows on screen. */
  path(rows: number): string
}

export const consolePage: ListPage = { name: 'console', path: (rows) => `/dashboard/?pageSize=${rows}` }
export const baselinePage: ListPage = { name: 'baseline', path: (rows) => `/dashboard/baseline.html?pageSize=${rows}` }
export const listPages = [consolePage, baselinePage] as const

/** Rows stand in the table. */
export const rowsShown: Condition = { selector: 'tbody tr[aria-selected]' }
export const formShown: Condition = { selector: 'form input[name=username]' }

/**
 * The real build and the baseline beside it, in one folder of their own: both are served the same way, from the same data,
 * and a build that somebody makes meanwhile disturbs neither.
 */
export async function preparePages(): Promise<string> {
  await ensureBuilt(process.execPath)
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-pages-'))
  for (const build of [join(root, 'dist'), await buildBaseline('baseline')]) cpSync(build, folder, { recursive: true })
  return folder
}
