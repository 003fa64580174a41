import { hexOf } from '../../../domain/hexOf.ts'
import { type FileBlocks, resumeLimits, uploadPartName } from '../../../schemas/inspect/fileUploads.ts'
import type { OnProgress } from './fileExchange.ts'
import { type FailureCode, FileFailure } from './fileFailure.ts'
import { joinPath, parentOf, type RawPath } from './remotePath.ts'

/** What a machine that runs programs does for transfers that go on after a cut. */
export interface ResumableFiles {
  /**
   * Begins an upload, or finds its part again.
   * @param keep bytes of it that are right; the rest is removed
   * @returns the bytes that have arrived; `undefined` where the machine cannot do this
   */
  open(target: RawPath, upload: string, keep?: number): Promise<number | undefined>
  /** Gives the target the content of the complete part, of `size` bytes. */
  place(target: RawPath, upload: string, size: number): Promise<void>
  /** Removes the part. */
  discard(target: RawPath, upload: string): Promise<void>
  /** Checksums of blocks; `undefined` where the machine has none. */
  blocks(path: RawPath, which: { first: number; count: number }): Promise<FileBlocks | undefined>
  /** The address of a file's content; `&offset=` and a number of bytes are to be added. */
  contentAddress(path: RawPath): string
}

/** Smaller files are sent again as a whole: that takes no longer than asking what has arrived. */
export const resumableBytes = 4 * 1024 * 1024

/** A new name for the part of an upload. */
export const newUploadId = (): string => hexOf(crypto.getRandomValues(new Uint8Array(8)))

/** The part of an upload beside its target. */
export const partOf = (target: RawPath, upload: string): RawPath =>
  joinPath(parentOf(target) ?? '/', uploadPartName(upload))

/** What breaks a transfer and may be over in a moment. */
const cuts: readonly FailureCode[] = ['lost', 'silent', 'unreachable', 'offline', 'busy']

/** Whether it is worth trying again. What is no failure of files is one of asking the server. */
export function isCut(error: unknown): boolean {
  if (error instanceof FileFailure) return cuts.includes(error.failure.code)
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return status === 0 || (typeof status === 'number' && status >= 500)
}

/** Milliseconds before each new try; the last one holds for all that follow. */
const pauses = [500, 1_000, 2_000, 5_000, 10_000]
/** Milliseconds without any progress after which it is given up. */
const patienceMs = 5 * 60_000
/**
 * Tries in a row at which the server has given a session and its WebSocket did not open: a proxy refuses it, and will go on
 * to. A script is not told the status.
 */
const refusedAtMost = 6

const isRefused = (error: unknown) => error instanceof FileFailure && error.failure.code === 'unreachable'

/**
 * Does work again as long as it is cut, until nothing has gone on for five minutes, or WebSockets turn out to be refused.
 * @param work one try. It calls `onProgress` when something goes on
 * @param onWait called when a try was cut, before the next one
 */
export async function again<T>(
  work: (onProgress: () => void) => Promise<T>,
  { signal, onWait }: { signal?: AbortSignal; onWait?: () => void },
): Promise<T> {
  let tries = 0
  let refused = 0
  let wentOnAt = performance.now()
  for (;;) {
    try {
      return await work(() => {
        tries = 0
        wentOnAt = performance.now()
      })
    } catch (error) {
      refused = isRefused(error) ? refused + 1 : 0
      if (refused === refusedAtMost) throw error
      if (signal?.aborted || !isCut(error) || performance.now() - wentOnAt > patienceMs) throw error
      onWait?.()
      await pause(pauses[Math.min(tries, pauses.length - 1)] ?? 0, signal)
      tries += 1
    }
  }
}

/** @throws FileFailure when it is cancelled */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      clearTimeout(timer)
      reject(new FileFailure({ code: 'cancelled' }))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel)
      resolve()
    }, ms)
    signal?.addEventListener('abort', cancel, { once: true })
  })
}

/** Blocks that are asked about at once: 64 MiB, so that a machine that reads slowly is seen to go on. */
const askedBlocks = 16

interface Compared {
  path: RawPath
  local: Blob
  /** How many the file there has. */
  bytes: number
  signal?: AbortSignal
  /** Called for each block that is the same, with the bytes that were compared and those that will be. */
  onProgress?: OnProgress
}

/** How many bytes from the beginning are the same here and on the machine, counted in whole blocks. */
export async function sameBytes(
  files: Pick<ResumableFiles, 'blocks'>,
  { path, local, bytes, signal, onProgress }: Compared,
): Promise<number> {
  const { blockBytes } = resumeLimits
  const compared = Math.min(bytes, local.size)
  const end = Math.ceil(compared / blockBytes)
  onProgress?.(0, compared)
  for (let block = 0; block < end; ) {
    const said = await files.blocks(path, { first: block, count: Math.min(askedBlocks, end - block) })
    if (!said?.sha256.length || said.size !== bytes) return 0
    for (const sum of said.sha256) {
      if (signal?.aborted) throw new FileFailure({ code: 'cancelled' })
      const start = block * blockBytes
      if ((await sha256Of(local.slice(start, Math.min(start + blockBytes, bytes)))) !== sum) return start
      block += 1
      onProgress?.(Math.min(block * blockBytes, compared), compared)
    }
  }
  return compared
}

/** In hexadecimal digits. @throws FileFailure when it cannot be read */
export async function sha256Of(content: Blob): Promise<string> {
  const bytes = await content.arrayBuffer().catch((cause: unknown) => {
    throw new FileFailure({ code: 'unreadable_source' }, cause)
  })
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
