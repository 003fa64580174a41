import { withPatience } from './withTimeout.ts'

type Library = typeof import('systeminformation')

/**
 * A library call may start a program of the system (lspci, dmidecode, PowerShell); one that hangs is not waited for.
 */
const PATIENCE_MS = 10_000

/**
 * Asks the system information library. It is loaded on the first question, so that the server is up before.
 * Rejects when the answer takes longer than PATIENCE_MS.
 */
export async function askLibrary<T>(what: string, question: (library: Library) => Promise<T>): Promise<T> {
  const late = Symbol('late')
  const answer = await withPatience(import('systeminformation').then(question), PATIENCE_MS, late)
  if (answer === late) throw new Error(`The system did not tell its ${what} within ${PATIENCE_MS / 1000} seconds.`)
  return answer as T
}
