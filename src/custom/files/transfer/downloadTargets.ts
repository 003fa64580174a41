import { asNoRoom, FileFailure } from './fileFailure.ts'
import type { WriteAnswer, WriteOrder } from './privateFile.worker.ts'
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

/** Bytes that a picked file gets at once: each write passes through two processes, and few large ones cost half. */
const pickedBytes = 4 * 1024 * 1024

/** One part is gathered while the one before is written. */
async function pickedSink(handle: FileSystemFileHandle, size: number): Promise<Sink> {
  const stream = await handle.createWritable()
  // A failed stream is aborted already.
  const abort = () => stream.abort().catch(() => {})
  const partBytes = Math.min(size, pickedBytes)
  let [part, other] = [new Uint8Array(partBytes), new Uint8Array(partBytes)]
  let filled = 0
  let writing: Promise<void> | undefined
  const writePart = async () => {
    await writing
    writing = noRoom(stream.write(part.subarray(0, filled)))
    // It is awaited with the next part, or at the end.
    writing.catch(() => {})
    ;[part, other] = [other, part]
    filled = 0
  }
  return {
    write: async (bytes) => {
      for (let from = 0; from < bytes.length; ) {
        const taken = bytes.subarray(from, from + partBytes - filled)
        part.set(taken, filled)
        filled += taken.length
        from += taken.length
        if (filled === partBytes) await writePart()
      }
      releaseBuffer(bytes)
    },
    close: async () => {
      if (filled > 0) await writePart()
      await writing
      await noRoom(stream.close())
      requireSize((await handle.getFile()).size, size)
      return { kind: 'picked' }
    },
    abort,
    // Until it is closed, the browser has it elsewhere.
    keep: abort,
  }
}

/** Writes that wait for the disk of the browser: while one is written, the next come from the network. */
const writesAhead = 4

/**
 * Written by a worker of its own, synchronously: the browser takes little from the network while a worker waits for the
 * disk.
 */
async function privateSink({ name, from = 0 }: Target & { kind: 'private' }, size: number): Promise<Sink> {
  const { quota = Infinity, usage = 0 } = await navigator.storage.estimate()
  if (size - from > quota - usage) throw new FileFailure({ code: 'no_room', size })
  const { ask, end } = startWriter()
  const waiting: Promise<number>[] = []
  const written = async () => {
    await Promise.all(waiting.splice(0))
  }
  try {
    await ask({ type: 'open', name, from })
  } catch (error) {
    end()
    throw error
  }
  let closed: Promise<number> | undefined
  // Also asked for after a close that has found it incomplete.
  const close = () => {
    closed ??= ask({ type: 'close' }).finally(end)
    return closed
  }
  return {
    write: async (bytes) => {
      if (waiting.length >= writesAhead) await waiting.shift()
      waiting.push(ask({ type: 'write', bytes }))
    },
    close: async () => {
      await written()
      requireSize(await close(), size)
      return { kind: 'private', name }
    },
    abort: async () => {
      await close()
      await (await privateFile(name)).remove()
    },
    keep: async () => {
      await close()
    },
  }
}

/** Starts the worker that writes one file. */
function startWriter() {
  const worker = new Worker(new URL('./privateFile.worker.ts', import.meta.url), { type: 'module' })
  const asked: PromiseWithResolvers<number>[] = []
  worker.onmessage = ({ data }: MessageEvent<WriteAnswer>) => {
    const order = asked.shift()
    if ('failure' in data) order?.reject(new FileFailure(data.failure))
    else order?.resolve(data.bytes)
  }
  worker.onerror = ({ message }) => {
    for (const { reject } of asked.splice(0)) reject(new Error(message))
  }
  return {
    ask(order: WriteOrder): Promise<number> {
      const answer = Promise.withResolvers<number>()
      // Of writes that are under way, only the first failure is asked for.
      answer.promise.catch(() => {})
      asked.push(answer)
      worker.postMessage(order, order.type === 'write' ? [order.bytes.buffer] : [])
      return answer.promise
    },
    end: () => worker.terminate(),
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
