import { FileFailure } from './fileFailure.ts'
import { privateFile } from './privateFiles.ts'
import { releaseBuffer } from './releaseBuffer.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Where the data of a download goes. */
export type Target =
  /** A file that the person has picked. */
  | { kind: 'picked'; handle: FileSystemFileHandle }
  /** A file in the browser's own storage, to be handed over later. It goes on after its first `from` bytes. */
  | { kind: 'private'; name: string; from?: number }
  /** Memory; `otherwise` is what a file of more than `limit` bytes fails with. */
  | { kind: 'memory'; limit: number; otherwise: 'needs_memory' | 'too_large' }

/** The result. A picked file is in its place already. */
export type Saved = ({ kind: 'picked' } | { kind: 'private'; name: string } | { kind: 'memory'; blob: Blob }) & {
  /** Whether it went on after a cut: then all of it has to be compared. */
  isResumed?: boolean
}

export interface Sink {
  /** Takes the bytes over: they cannot be read afterwards. Resolves when there is room for more. */
  write(bytes: Bytes): void | Promise<void>
  /** All bytes were written. Rejects with `incomplete` when the stored size differs from the announced one. */
  close(): Promise<Saved>
  /** Removes what was written. */
  abort(): Promise<void>
  /** Ends it before all is written. What was written stays for later, where it can. */
  keep(): Promise<void>
}

/** @param size bytes that will come */
export type OpenSink = (size: number) => Promise<Sink>

export function openSink(target: Target): OpenSink {
  if (target.kind === 'picked') return (size) => pickedSink(target.handle, size)
  if (target.kind === 'private') return (size) => privateSink(target, size)
  return (size) => memorySink(target, size)
}

async function pickedSink(handle: FileSystemFileHandle, size: number): Promise<Sink> {
  const stream = await handle.createWritable()
  // A failed stream is aborted already.
  const abort = () => stream.abort().catch(() => {})
  return {
    write: async (bytes) => {
      await noRoom(stream.write(bytes))
      releaseBuffer(bytes)
    },
    close: async () => {
      await noRoom(stream.close())
      requireSize((await handle.getFile()).size, size)
      return { kind: 'picked' }
    },
    abort,
    // Until it is closed, the browser has it elsewhere.
    keep: abort,
  }
}

/** The part of the browser's own storage that only workers have; TypeScript's page types lack it. */
interface SyncAccessHandle {
  write(bytes: Bytes, options: { at: number }): number
  getSize(): number
  truncate(size: number): void
  close(): void
}

/** Written synchronously, so that nothing piles up where the sender cannot be slowed down. */
async function privateSink({ name, from = 0 }: Target & { kind: 'private' }, size: number): Promise<Sink> {
  const { quota = Infinity, usage = 0 } = await navigator.storage.estimate()
  if (size - from > quota - usage) throw new FileFailure({ code: 'no_room', size })
  const file = await privateFile(name)
  const handle = await (
    file.handle as FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncAccessHandle> }
  ).createSyncAccessHandle()
  // A new one is not truncated, because it is empty: after a truncation some systems write all of it to the disk on close.
  if (from > 0) handle.truncate(from)
  let at = from
  return {
    write: (bytes) => {
      try {
        for (let from = 0; from < bytes.length; ) {
          const written = handle.write(bytes.subarray(from), { at })
          if (written === 0) throw new FileFailure({ code: 'no_room', size })
          from += written
          at += written
        }
        releaseBuffer(bytes)
      } catch (error) {
        throw asNoRoom(error)
      }
    },
    close: async () => {
      // Not flushed: the file is copied from here at once.
      const storedSize = handle.getSize()
      handle.close()
      requireSize(storedSize, size)
      return { kind: 'private', name }
    },
    abort: async () => {
      handle.close()
      await file.remove()
    },
    keep: async () => handle.close(),
  }
}

async function memorySink({ limit, otherwise }: Target & { kind: 'memory' }, size: number): Promise<Sink> {
  if (size > limit) throw new FileFailure({ code: otherwise, size })
  const parts: Bytes[] = []
  return {
    write: (bytes) => void parts.push(bytes),
    close: async () => {
      const blob = new Blob(parts)
      requireSize(blob.size, size)
      return { kind: 'memory', blob }
    },
    abort: async () => void parts.splice(0),
    keep: async () => {},
  }
}

function requireSize(stored: number, announced: number): void {
  if (stored !== announced) throw new FileFailure({ code: 'incomplete' })
}

const noRoom = (work: Promise<void>) =>
  work.catch((error) => {
    throw asNoRoom(error)
  })

const asNoRoom = (error: unknown) =>
  error instanceof DOMException && error.name === 'QuotaExceededError'
    ? new FileFailure({ code: 'no_room' }, error)
    : error
