import { withTimeout } from './withTimeout.ts'

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
