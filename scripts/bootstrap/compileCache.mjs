import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from './paths.mjs'

/** Files; a whole run of the tests leaves about 6,000. */
const most = 20_000

/**
 * Where Node keeps the compiled code of the server and of the programs that tests start: they start in half the time. A
 * changed file takes the place of its older version; programs in temporary folders stay, so the folder is emptied when it
 * is full.
 *
 * @returns {string} the path of the folder
 */
export function compileCacheFolder() {
  const folder = join(cacheFolder, 'compiled')
  if (countFiles(folder) > most) empty(folder)
  return folder
}

/** @param {string} folder */
function empty(folder) {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // Of another user, or on a disk that takes no writes: Node goes on with what is there, or without.
  }
}

/** @param {string} folder */
function countFiles(folder) {
  try {
    return readdirSync(folder, { recursive: true }).length
  } catch {
    // The first run.
    return 0
  }
}
