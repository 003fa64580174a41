import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { endingWithParent } from './launched.mjs'
import { root } from './paths.mjs'

const forwarded = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/** Ctrl-C comes from the terminal and again from npm; signals within this time are one wish to end. In ms. */
const repeatedSignal = 1_000

/** npm's shell dies of a SIGTERM without passing it on; that this process gets another parent is the only sign. */
const launcher = process.ppid
const launcherCheck = 500

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
  const launched = endingWithParent(args, env)
  return new Promise((resolve, reject) => {
    const child = spawn(node, launched.args, {
      cwd: root,
      env: launched.env,
      detached: process.platform !== 'win32',
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    let lastSignal = 0
    /** @param {NodeJS.Signals} signal */
    const forwardSignal = (signal) => {
      const now = Date.now()
      if (now - lastSignal > repeatedSignal) child.kill(signal)
      lastSignal = now
    }
    for (const signal of forwarded) process.on(signal, forwardSignal)
    const watch = setInterval(() => {
      if (process.ppid === launcher) return
      clearInterval(watch)
      forwardSignal('SIGTERM')
    }, launcherCheck)
    if (!env.npm_lifecycle_event) clearInterval(watch)
    const done = () => {
      clearInterval(watch)
      for (const signal of forwarded) process.removeListener(signal, forwardSignal)
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
