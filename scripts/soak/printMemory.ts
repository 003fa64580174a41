/**
 * Loaded into the server that is watched: prints what it holds, in bytes, after a collection, so that what only waits
 * to be collected does not count. Needs `--expose-gc`.
 */
const everyMs = 15_000

setInterval(() => {
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  process.stdout.write(`memory ${JSON.stringify({ rss, inUse: heapUsed + external })}\n`)
}, everyMs).unref()
