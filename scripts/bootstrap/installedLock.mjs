import { existsSync, readFileSync } from 'node:fs'

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} Locked
 */

/**
 * Whether npm's record of what it installed holds every package of the lockfile, so that a person who ran
 * `npm install` by hand does not wait for it again. Optional packages may be absent: most are for other platforms.
 *
 * @param {string} lockfile path of package-lock.json
 * @param {string} installed path of node_modules/.package-lock.json, which npm writes when it is done
 */
export function lockMatchesInstalled(lockfile, installed) {
  if (!existsSync(installed)) return false
  const locked = packagesOf(lockfile)
  const present = packagesOf(installed)
  return Object.entries(locked).every(([path, locked]) => {
    if (path === '') return true
    const found = present[path]
    if (!found) return Boolean(locked.optional || locked.devOptional)
    return found.version === locked.version && found.integrity === locked.integrity
  })
}

/**
 * @param {string} file
 * @returns {Record<string, Locked>}
 */
function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
}
