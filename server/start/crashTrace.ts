import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { errorMessage } from '../../src/domain/errors.ts'
import type { CutOff } from '../app.ts'
import type { Log } from '../log.ts'

/** Bytes of one trace, and of the file: some dozen of them, of which the latest matter. */
const maxTraceBytes = 16 * 1024
const maxFileBytes = 256 * 1024

/** Puts an error in front of those that ended this server before. Never throws: the process is about to end. */
export function keepTrace(file: string, error: unknown, version: string, log: Pick<Log, 'error'>): void {
  const head = `${new Date().toISOString()} Wheelhouse ${version}, Node ${process.versions.node}, process ${process.pid}`
  const trace = `${head}\n${inspect(error).slice(0, maxTraceBytes)}\n\n`
  try {
    writeFileSync(file, (trace + readTraces(file)).slice(0, maxFileBytes), { mode: 0o600 })
    log.error(`It is kept in ${file}.`)
  } catch (failure) {
    log.error(`It cannot be kept in ${file}: ${errorMessage(failure)}`)
  }
}

function readTraces(file: string): string {
  return statSync(file, { throwIfNoEntry: false }) ? readFileSync(file, 'utf8') : ''
}

/**
 * What is known about the end of the server before this one.
 * @param startedAt when that one started, in milliseconds since 1970; `undefined` when it ended by its will
 */
export function cutOffOf(traceFile: string, startedAt: number | undefined): CutOff | undefined {
  if (startedAt === undefined) return undefined
  const isOfIt = (statSync(traceFile, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= startedAt
  return isOfIt ? { traceFile } : {}
}
