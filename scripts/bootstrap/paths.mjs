import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder. (import.meta.dirname is younger than the oldest Node this must run on.) */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** What the commands keep between runs: locks, logs, results, unfinished builds. Safe to delete. */
export const cacheFolder = join(root, '.cache')

export const nodeModules = join(root, 'node_modules')
