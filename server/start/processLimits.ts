import { setFlagsFromString } from 'node:v8'

// Imported before everything else: what is set here counts from then on.

/**
 * The size is read when the first thread is needed. By default Node has four threads for files, passwords and DNS lookups
 * together: four lookups without an answer would block everything else.
 */
process.env.UV_THREADPOOL_SIZE ??= '16'

/**
 * How far the heap may grow before all of it is collected, in percent of what was alive. Left alone, Node lets it double
 * and more: with 5,000 agents 200 MB of garbage, as what machines reported lives just long enough to become old.
 */
setFlagsFromString('--heap-growing-percent=25')
