import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { endingWithParent } from './launched.mjs'
import { root } from './paths.mjs'

const forwarded = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/** Ctrl-C comes from the terminal and again from npm; signals within this time are one wish to end. In ms. */
const repeatedSignal = 1_000

/** What a server sends by its channel when it serves. */
export const servingMessage = 'serving'

/**
 * Milliseconds between the end of a server and its next start, by the number of those that ended within a minute of
 * their start: the first time at once, then longer, so that a server that always ends costs no core.
 */
const defaultPauses = [0, 0, 1_000, 2_000, 5_000, 10_000]
const calmMs = 60_000

/** Starts in a row that came to nothing after a server had served: then somebody has to look. */
const maxFailedStarts = 5

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
export async function runForeground(node, args, env) {
  const signals = listenForSignals()
  try {
    return (await signals.run(node, endingWithParent(args, env), root)).code
  } finally {
    signals.stop()
  }
}

/**
 * Runs a server as `runForeground` does, and starts it again when it ended without being asked to. One that could not
 * start in the first place is not tried again, nor is one that cannot start any more.
 *
 * @param {string} node
 * @param {{ args: string[], env: NodeJS.ProcessEnv }} launched
 * @param {string} cwd
 * @param {readonly number[]} [pauses]
 * @returns {Promise<number>} the exit code of the last one
 */
export async function runServer(node, launched, cwd, pauses = defaultPauses) {
  const signals = listenForSignals()
  try {
    let [ends, failedStarts, hasServed] = [0, 0, false]
    for (;;) {
      const startedAt = performance.now()
      const { code, served } = await signals.run(node, launched, cwd)
      hasServed ||= served
      failedStarts = served ? 0 : failedStarts + 1
      if (code === 0 || signals.wished() !== undefined || !hasServed || failedStarts >= maxFailedStarts) return code
      ends = performance.now() - startedAt < calmMs ? ends + 1 : 0
      const pause = pauses[Math.min(ends, pauses.length - 1)] ?? 0
      console.error(
        `The server ended (exit code ${code}), and is started again${pause ? ` in ${pause / 1000} s` : ''}.`,
      )
      await signals.pause(pause)
      const wish = signals.wished()
      if (wish !== undefined) return 128 + constants.signals[wish]
    }
  } finally {
    signals.stop()
  }
}

/** Passes the signals that this process gets on to the program that it runs at that time. */
function listenForSignals() {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child
  /** @type {NodeJS.Signals | undefined} */
  let wish
  let lastSignal = 0
  const wished = new AbortController()
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    const now = Date.now()
    if (now - lastSignal > repeatedSignal) child?.kill(signal)
    lastSignal = now
    wish = signal
    wished.abort()
  }
  for (const signal of forwarded) process.on(signal, forward)
  return {
    /** The signal that somebody sent. */
    wished: () => wish,
    /** @param {number} ms ends at a signal */
    pause: (ms) => sleep(ms, undefined, { signal: wished.signal }).catch(() => {}),
    stop() {
      for (const signal of forwarded) process.removeListener(signal, forward)
    },
    /**
     * @param {string} node
     * @param {{ args: string[], env: NodeJS.ProcessEnv }} launched
     * @param {string} cwd
     * @returns {Promise<{ code: number, served: boolean }>} served: whether it said that it serves
     */
    run(node, { args, env }, cwd) {
      return new Promise((resolve, reject) => {
        let served = false
        child = spawn(node, args, {
          cwd,
          env,
          detached: process.platform !== 'win32',
          stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
        })
        child.on('message', (message) => {
          if (message === servingMessage) served = true
        })
        child.on('error', reject)
        child.on('exit', (code, signal) => {
          resolve({ code: signal ? 128 + constants.signals[signal] : (code ?? 1), served })
        })
      })
    },
  }
}
