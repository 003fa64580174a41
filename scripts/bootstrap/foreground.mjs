import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './paths.mjs'

const forwarded = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/** Ctrl-C reaches this process from the terminal and again from npm; within this time that is one wish. In ms. */
const sameWish = 1_000

/**
 * Runs Node as if it had taken this process's place: same terminal, signals passed on, and its end is ours. The child
 * has a process group of its own, or the terminal would send it a second Ctrl-C in the middle of a clean shutdown;
 * should this process be killed outright, the child hears of it and ends as well.
 *
 * @param {string} node
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} the exit code; 128 and the signal's number when a signal ended it
 */
export function runForeground(node, args, env = process.env) {
  const preload = pathToFileURL(join(root, 'scripts', 'bootstrap', 'endWithParent.mjs')).href
  return new Promise((resolve, reject) => {
    const child = spawn(node, ['--import', preload, ...args], {
      cwd: root,
      env: { ...env, WHEELHOUSE_LAUNCHER: String(process.pid) },
      detached: process.platform !== 'win32',
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    const heard = /** @type {Map<string, number>} */ (new Map())
    /** @param {NodeJS.Signals} signal */
    const passOn = (signal) => {
      const now = Date.now()
      if (now - (heard.get(signal) ?? 0) > sameWish) child.kill(signal)
      heard.set(signal, now)
    }
    for (const signal of forwarded) process.on(signal, passOn)
    const done = () => {
      for (const signal of forwarded) process.removeListener(signal, passOn)
    }
    child.on('error', (error) => {
      done()
      reject(error)
    })
    child.on('exit', (code, signal) => {
      done()
      resolve(signal ? 128 + constants.signals[signal] : (code ?? 1))
    })
  })
}
