import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './paths.mjs'

/**
 * What Node is told where it serves: MiB for each half of the space for young objects. It would let them grow to 64, and
 * what machines report fills any size, because it lives until their next report. Only when Node starts can it be told so.
 */
export const serverMemory = ['--max-semi-space-size=16']

/**
 * What the C library is told where a server runs: larger pieces of memory go back to the system when they are free. By
 * itself it keeps what a password's hash needed (19 MiB) for each thread: 16 at once left 360 MiB behind.
 */
export const serverEnvironment = { MALLOC_MMAP_THRESHOLD_: '1048576' }

/**
 * How to start Node so that it ends when this process is gone. The child needs an IPC channel for it.
 *
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function endingWithParent(args, env = process.env) {
  const preload = pathToFileURL(join(root, 'scripts', 'bootstrap', 'endWithParent.mjs')).href
  return launchedBy(['--import', preload, ...args], env)
}

/**
 * The same for a program that imports `endWithParent.mjs` itself.
 *
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function launchedBy(args, env = process.env) {
  return { args, env: { ...serverEnvironment, ...env, WHEELHOUSE_LAUNCHER: String(process.pid) } }
}
