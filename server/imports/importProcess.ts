import { once } from 'node:events'
import type { ImportKind } from '../../src/schemas/imports/importKinds.ts'
import { type ImportData, ImportRefusal, type PastResult } from './readers/importData.ts'
import { openImportFile } from './readers/index.ts'

/** What the process is told when it has started. */
export interface ImportOrder {
  kind: ImportKind
  path: string
  /** The text of the settings file; '' without one. */
  settings: string
  wants: 'records' | 'history'
}

/** What the process sends. After `history` it waits for an answer, so that nothing heaps up. */
export type ImportMessage =
  | { type: 'data'; data: ImportData }
  | { type: 'history'; results: readonly PastResult[] }
  | { type: 'refusal'; code: ImportRefusal['code']; args: ImportRefusal['args'] }
  | { type: 'done' }

const resultsPerMessage = 2000
/** Characters of all records. */
const maxData = 64 * 1024 * 1024

/**
 * Reads a file of another product. `runImportProcess` starts it as a process: reading gigabytes must not hold up the
 * server, and a file that brings SQLite down brings down this process alone.
 */
async function main(): Promise<void> {
  // Whoever started it is this program.
  const [order] = (await once(process, 'message')) as [ImportOrder]
  const { kind, path, settings, wants } = order
  try {
    const { reader, database } = openImportFile(kind, path)
    if (wants === 'records') await sendData(reader.read(database, settings))
    else await sendHistory(reader.history(database))
    await send({ type: 'done' })
  } catch (error) {
    // What SQLite says in the middle of a file is about the file.
    const { code, args } = error instanceof ImportRefusal ? error : new ImportRefusal('damaged')
    await send({ type: 'refusal', code, args })
  }
  process.disconnect()
}

/** The server reads it at once, and has more to do than that: no real file comes near it. */
async function sendData(data: ImportData): Promise<void> {
  if (JSON.stringify(data).length > maxData) throw new ImportRefusal('damaged')
  await send({ type: 'data', data })
}

async function sendHistory(history: Iterable<PastResult>): Promise<void> {
  let results: PastResult[] = []
  for (const result of history) {
    results.push(result)
    if (results.length < resultsPerMessage) continue
    await Promise.all([send({ type: 'history', results }), once(process, 'message')])
    results = []
  }
  if (results.length > 0) await Promise.all([send({ type: 'history', results }), once(process, 'message')])
}

const send = (message: ImportMessage) =>
  new Promise<void>((resolve, reject) => {
    process.send?.(message, (error: Error | null) => (error ? reject(error) : resolve()))
  })

await main()
