import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One hash over names and contents. Contents rather than dates, because a clone, a copy or a branch switch changes
 * dates and nothing else.
 *
 * @param {string} folder the folder that `names` are relative to
 * @param {readonly string[]} names files, or folders taken with all they hold; one that is absent counts as absent
 * @returns {string} 64 hex digits
 */
export function contentHash(folder, names) {
  const hash = createHash('sha256')
  for (const name of names.flatMap((entry) => filesUnder(folder, entry)).sort()) {
    const content = readFileSync(join(folder, name))
    hash.update(`${name.replaceAll('\\', '/')}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * @param {string} folder
 * @param {string} name
 * @returns {string[]}
 */
function filesUnder(folder, name) {
  const found = statSync(join(folder, name), { throwIfNoEntry: false })
  if (!found) return []
  if (!found.isDirectory()) return [name]
  return readdirSync(join(folder, name)).flatMap((entry) => filesUnder(folder, join(name, entry)))
}
