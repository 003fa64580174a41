import { url as debuggerUrl } from 'node:inspector'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Log } from '../log.ts'

/** What the thread that watches is given. */
export interface Watched {
  /** Two numbers that both threads see: how often this one was alive, and 1 while a debugger may hold it. */
  signs: SharedArrayBuffer
  /** Milliseconds between two signs of life. */
  tickMs: number
  /** Signs of life that may be missing. */
  mostMissing: number
  /** Where the end is written down; `undefined` where nothing is kept. */
  traceFile: string | undefined
  version: string
}

/** The bundled server is JavaScript, with this program beside it. */
const program = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './watchdogThread.ts' : './watchdogThread.js', import.meta.url),
)

/**
 * Ends this process when its event loop has not moved for a minute, as in an endless loop: whatever started it starts it
 * again. A thread of the process itself watches, which stands still where all of it does: a process that was stopped, or
 * a machine that slept, has not hung.
 */
export function startWatchdog(
  { traceFile, version, log }: { traceFile: string | undefined; version: string; log: Pick<Log, 'warn'> },
  { tickMs = 1_000, mostMissing = 60 } = {},
): void {
  const signs = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)
  const [alive, debugged] = [0, 1]
  const view = new Int32Array(signs)
  setInterval(() => {
    Atomics.add(view, alive, 1)
    Atomics.store(view, debugged, debuggerUrl() === undefined ? 0 : 1)
  }, tickMs).unref()
  const workerData: Watched = { signs, tickMs, mostMissing, traceFile, version }
  // It needs next to no memory, and nothing that this process was started with.
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 }
  const thread = new Worker(program, { workerData, name: 'watchdog', execArgv: [], env: {}, resourceLimits })
  thread.on('error', (error) => log.warn(`A server that hangs will not be ended: ${error.message}`))
  thread.unref()
}
