import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './paths.mjs'

/**
 * How to start Node so that it ends when this process is gone. The child needs an IPC channel for it.
 *
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export function endingWithParent(args, env) {
  const preload = pathToFileURL(join(root, 'scripts', 'bootstrap', 'endWithParent.mjs')).href
  return { args: ['--import', preload, ...args], env: { ...env, WHEELHOUSE_LAUNCHER: String(process.pid) } }
}
