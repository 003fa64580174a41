import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './paths.mjs'

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
  return { args, env: { ...env, WHEELHOUSE_LAUNCHER: String(process.pid) } }
}
