import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files of the built page. */
export interface PageFiles {
  /** Where the files lie that browsers ask for. */
  folder: string
  /** Address of the script. */
  script: string
  /** Scripts that it needs at once: what it imports, and the texts of a language. */
  neededBy(locale: string): string[]
  /** The text of the style, which stands in the page: one request less before the first paint. */
  style: string
}

export const filesPath = '/status/assets/'

/** @param dist folder of the built console @returns `undefined` when the page was not built */
export function readPageFiles(dist: string | undefined): PageFiles | undefined {
  const root = dist && join(dist, 'status')
  const manifestFile = root && join(root, 'manifest.json')
  if (!manifestFile || !existsSync(manifestFile)) return undefined
  const manifest: Record<string, { file: string; isEntry?: boolean; imports?: string[]; css?: string[] }> = JSON.parse(
    readFileSync(manifestFile, 'utf8'),
  )
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry)
  if (!entry) return undefined
  const address = (file: string) => `/status/${file}`
  return {
    folder: join(root, 'assets'),
    script: address(entry.file),
    neededBy: (locale) =>
      [...(entry.imports ?? []), `i18n/${locale}/status.json`].flatMap((key) =>
        manifest[key] ? address(manifest[key].file) : [],
      ),
    style: (entry.css ?? []).map((file) => readFileSync(join(root, file), 'utf8')).join('\n'),
  }
}
