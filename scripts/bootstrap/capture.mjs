import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { endingWithParent } from './launched.mjs'
import { root } from './paths.mjs'

const endings = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Runs Node as `capture` does; should this process be killed outright, the child ends as well.
 *
 * @param {string} node
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export function captureNode(node, args, env) {
  const launched = endingWithParent(args, env)
  return capture(node, launched.args, { env: launched.env, channel: true })
}

/**
 * Runs a program quietly in the project's folder and keeps what it writes. A signal that ends this process meanwhile
 * ends the program too.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, shell?: boolean, onSpawn?: (pid: number) => void,
 *   channel?: boolean }} [options] channel: whether the program is told when this process is gone
 * @returns {Promise<{ code: number | null, output: string }>} code is null when a signal ended it; rejects when the
 *   program cannot be started
 */
export function capture(program, args, { env = process.env, shell = false, onSpawn, channel = false } = {}) {
  return new Promise((resolve, reject) => {
    /** @type {import('node:child_process').StdioOptions} */
    const stdio = channel ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe']
    const child = spawn(program, args, { cwd: root, env, shell, stdio })
    if (child.pid) onSpawn?.(child.pid)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    /** @param {NodeJS.Signals} signal */
    const end = (signal) => {
      child.kill(signal)
      process.exit(128 + constants.signals[signal])
    }
    for (const signal of endings) process.on(signal, end)
    const done = () => {
      for (const signal of endings) process.removeListener(signal, end)
    }
    child.on('error', (error) => {
      done()
      reject(error)
    })
    child.on('close', (code) => {
      done()
      resolve({ code, output })
    })
  })
}
