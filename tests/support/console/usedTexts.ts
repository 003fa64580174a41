import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'

/** A key as it stands in a source: whole, or with a part that is known only at run time. */
export interface UsedKey {
  key: string
  file: string
  /** Matches the keys it can mean: itself, or one for each value of the open part. */
  pattern: RegExp
}

const quotedKey = /(['"`])((?:app|validation|resources|ra)\.(?!\$)(?:[\w.-]|\$\{[^}]*\})+)\1/g
const openPart = /\$\{[^}]*\}/

/** Every text key that a file below `src` writes out. Keys put together from an entity's name are not among them. */
export function usedKeys(): UsedKey[] {
  return globSync('src/**/*.{ts,tsx}', { cwd: root }).flatMap((file) =>
    keysIn(file, readFileSync(join(root, file), 'utf8')),
  )
}

/** The keys in one source text. */
export function keysIn(file: string, source: string): UsedKey[] {
  return [...source.matchAll(quotedKey)].map(([, , found]) => {
    const key = found as string
    const parts = key.split(openPart).map((part) => part.replaceAll('.', '\\.'))
    return { key, file, pattern: new RegExp(`^${parts.join('[\\w-]+')}$`) }
  })
}
