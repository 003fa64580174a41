import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

type Library = typeof import('systeminformation')

/** The library may start programs (lspci, dmidecode, PowerShell), and one of them may hang. */
const TIMEOUT_MS = 10_000

/**
 * Calls the systeminformation library. It is loaded with the first call, so that the server starts without it.
 * @param what names the result in the error message
 * @throws Error of the library, or when there is no result within 10 seconds
 */
export async function querySystemInformation<T>(what: string, query: (library: Library) => Promise<T>): Promise<T> {
  const timedOut = Symbol('timed out')
  const result = await withTimeout(import('systeminformation').then(query), TIMEOUT_MS, timedOut)
  if (result === timedOut) throw new Error(`The system did not tell its ${what} within ${TIMEOUT_MS / 1000} seconds.`)
  return result as T
}

/** Resolves like `work`, or with `fallback` when `work` takes longer than `ms`. `work` itself is not stopped. */
export async function withTimeout<T, U>(work: Promise<T>, ms: number, fallback: U): Promise<T | U> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<U>((resolve) => {
    timer = setTimeout(() => resolve(fallback), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Reads a file in /proc; '' when it cannot be read, because kernels differ and containers hide many files. Synchronous,
 * because the kernel generates these files within microseconds and the thread pool would take several times as long.
 */
export function readProcFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Reads a file that may be slow, such as that of a sensor; '' when it cannot be read. */
export async function readSlowFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
