import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from '../root.ts'

/** One import of a file: of a package, or of another file by its path from the root. */
export interface Import {
  file: string
  target: string
  /** Gone when the program runs. */
  isType: boolean
  /** Made by `import()`, when the program comes to it. */
  isDynamic: boolean
}

const line = /^\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm

/** The imports that a source text makes, the ones at run time included. */
export function importsIn(file: string, source: string): Import[] {
  return [...source.matchAll(line)].map(([, type, named, loaded]) => {
    const specifier = (named ?? loaded) as string
    const target = specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier
    return { file, target, isType: type !== undefined, isDynamic: loaded !== undefined }
  })
}

/** Every import of the console, its texts and its server. */
export const allImports: readonly Import[] = globSync('{src,i18n,server}/**/*.{ts,tsx}', { cwd: root }).flatMap(
  (file) => importsIn(file, readFileSync(join(root, file), 'utf8')),
)

/**
 * All that a file needs when it runs, directly or through others: files by path, packages by name.
 * @param later files that do not count
 */
export function neededBy(file: string, later: ReadonlySet<string> = new Set()): Set<string> {
  const needed = new Set<string>()
  const visit = (path: string) => {
    for (const { target, isType } of allImports.filter((one) => one.file === path)) {
      if (isType || needed.has(target) || later.has(target)) continue
      needed.add(target)
      visit(target)
    }
  }
  visit(file)
  return needed
}
