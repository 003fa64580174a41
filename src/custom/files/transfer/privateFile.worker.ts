import { asNoRoom, type Failure, FileFailure, failureOf } from './fileFailure.ts'
import { privateFile } from './privateFiles.ts'
import { releaseBuffer } from './releaseBuffer.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** To the worker that writes a file of the browser's own storage. Each is answered, in order. */
export type WriteOrder =
  /** The file is kept up to `from`; answered with that. */
  | { type: 'open'; name: string; from: number }
  /** Answered with the number of its bytes. */
  | { type: 'write'; bytes: Bytes }
  /** Answered with the size of the file. */
  | { type: 'close' }

/** The answer to an order, in bytes. */
export type WriteAnswer = { bytes: number } | { failure: Failure }

/** The part of the browser's own storage that only workers have; TypeScript's page types lack it. */
interface SyncAccessHandle {
  write(bytes: Bytes, options: { at: number }): number
  getSize(): number
  truncate(size: number): void
  close(): void
}

type PrivateHandle = FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncAccessHandle> }

let file: SyncAccessHandle | undefined
let at = 0
let hasFailed = false

async function open(name: string, from: number): Promise<number> {
  const { handle } = await privateFile(name)
  file = await (handle as PrivateHandle).createSyncAccessHandle()
  // A new one is not truncated, because it is empty: after a truncation some systems write all of it to the disk on close.
  if (from > 0) file.truncate(from)
  at = from
  return at
}

function write(to: SyncAccessHandle, bytes: Bytes): number {
  // What follows a gap would be worth nothing.
  if (hasFailed) throw new FileFailure({ code: 'no_room' })
  hasFailed = true
  const { length } = bytes
  for (let from = 0; from < length; ) {
    const written = to.write(bytes.subarray(from), { at })
    if (written === 0) throw new FileFailure({ code: 'no_room' })
    from += written
    at += written
  }
  hasFailed = false
  releaseBuffer(bytes)
  return length
}

/** Not flushed: the file is copied from here at once. */
function close(from: SyncAccessHandle): number {
  const size = from.getSize()
  from.close()
  return size
}

async function carryOut(order: WriteOrder): Promise<number> {
  if (order.type === 'open') return open(order.name, order.from)
  if (!file) throw new Error('No file is open.')
  return order.type === 'write' ? write(file, order.bytes) : close(file)
}

self.onmessage = ({ data }: MessageEvent<WriteOrder>) => {
  const answer = (one: WriteAnswer) => self.postMessage(one)
  carryOut(data).then(
    (bytes) => answer({ bytes }),
    (error) => answer({ failure: failureOf(asNoRoom(error)) }),
  )
}
