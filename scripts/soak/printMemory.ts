/**
 * Loaded into the server that is watched: prints what it holds, in bytes, after a collection, so that what only waits
 * to be collected does not count. Needs `--expose-gc`.
 *
 * Every 15 s, or with `MEMORY_ON_SIGNAL` whenever it gets SIGUSR2: a collection stops the server for a moment, which
 * would count as slowness where times are measured.
 */
const everyMs = 15_000

function print(): void {
  // The one that gives unused pages back to the system.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const { rss, heapUsed, external } = process.memoryUsage()
  process.stdout.write(`memory ${JSON.stringify({ rss, inUse: heapUsed + external })}\n`)
}

if (process.env.MEMORY_ON_SIGNAL) process.on('SIGUSR2', print)
else setInterval(print, everyMs).unref()
