import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BackupOutcome } from './backupProcess.ts'
import { StoreError } from './storeError.ts'

/** The bundled server is JavaScript, with this program beside it. */
const program = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './backupProcess.ts' : './backupProcess.js', import.meta.url),
)

/**
 * Does what `createBackup` does in a process of its own: copying and checking gigabytes must not hold up the server.
 * @param signal ends the process and removes what it has begun
 * @throws StoreError with a sentence for the operator
 */
export async function runBackupProcess(database: string, target: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const child = fork(program, [database, target], { execArgv: [], signal, killSignal: 'SIGKILL' })
  let outcome: BackupOutcome = { failure: `The process that copies ${database} ended before it was done.` }
  child.once('message', (message) => {
    outcome = message as BackupOutcome
  })
  try {
    // A busy server may notice the end before the outcome; the channel closes only after the last message.
    await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  } catch (error) {
    removePart(target)
    throw error
  }
  if (outcome.failure === undefined) return
  removePart(target)
  throw new StoreError(outcome.failure, { cause: Object.assign(new Error(outcome.failure), outcome) })
}

/** Removes the unfinished copy of a killed process. */
function removePart(target: string): void {
  for (const ending of ['', '-journal']) rmSync(`${target}.part${ending}`, { force: true })
}
