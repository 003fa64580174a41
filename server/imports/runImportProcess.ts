import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ImportKind } from '../../src/schemas/imports/importKinds.ts'
import type { ImportMessage, ImportOrder } from './importProcess.ts'
import { type ImportData, ImportRefusal, type PastResult } from './readers/importData.ts'

/** The bundled server is JavaScript, with this program beside it. */
const program = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './importProcess.ts' : './importProcess.js', import.meta.url),
)

/** Milliseconds: two gigabytes take some minutes on a slow disk. */
const timeoutMs = 15 * 60_000
/** MiB of JavaScript's memory. */
const maxMemory = 1024

/** A file of another product, as it lies on the disk of this server. */
export interface ImportFile {
  kind: ImportKind
  path: string
  /** The text of the settings file; '' without one. */
  settings: string
}

/** What the file has. @throws ImportRefusal */
export async function readImportFile(file: ImportFile): Promise<ImportData> {
  let data: ImportData | undefined
  await run({ ...file, wants: 'records' }, async (message) => {
    if (message.type === 'data') data = message.data
  })
  if (!data) throw new ImportRefusal('damaged')
  return data
}

/** Calls `take` with the what the file knows of the past, in parts, one after the other. @throws ImportRefusal */
export const readImportHistory = (file: ImportFile, take: (results: readonly PastResult[]) => Promise<void>) =>
  run({ ...file, wants: 'history' }, async (message, answer) => {
    if (message.type !== 'history') return
    await take(message.results)
    answer()
  })

async function run(
  order: ImportOrder,
  take: (message: ImportMessage, answer: () => void) => Promise<void>,
): Promise<void> {
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(timeoutMs)])
  // A file that is too much for it ends it, and what it prints then is of no use to anybody.
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const
  const execArgv = [`--max-old-space-size=${maxMemory}`]
  const child = fork(program, [], { execArgv, stdio: [...stdio], signal, killSignal: 'SIGKILL' })
  // The first one ends the waiting below; later ones, as of the end by force, must not end this server.
  child.on('error', () => {})
  let refusal = new ImportRefusal('damaged')
  let isDone = false
  // It may end at any time: that it has is known by its end.
  const send = (message: ImportOrder | 'next') => void child.send(message, () => {})
  let failure: unknown
  child.on('message', (message: ImportMessage) => {
    if (message.type === 'refusal') refusal = new ImportRefusal(message.code, message.args)
    else if (message.type === 'done') isDone = true
    else {
      take(message, () => send('next')).catch((error: unknown) => {
        failure = error
        ending.abort()
      })
    }
  })
  send(order)
  try {
    await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  } catch (error) {
    if (failure !== undefined) throw failure
    throw signal.aborted ? new ImportRefusal('too_slow') : error
  }
  if (!isDone) throw refusal
}
