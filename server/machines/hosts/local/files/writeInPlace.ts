import { constants, type FileHandle, open } from 'node:fs/promises'
import type { FileSink } from '../../files.ts'
import { throwAsFileError } from './toFileError.ts'

const copyBytes = 1024 * 1024
const { O_NOCTTY = 0, O_NONBLOCK = 0, O_TRUNC, O_WRONLY } = constants

/** Begins to write over the content of a file. @param path as it was asked for */
export async function writeFileInPlace(real: Buffer, path: Uint8Array): Promise<FileSink> {
  return sinkTo(await openInPlace(real, O_TRUNC), path)
}

/** Begins to write to what is no file. @param path as it was asked for */
export async function writeDevice(real: Buffer, path: Uint8Array): Promise<FileSink> {
  return sinkTo(await openInPlace(real, 0), path)
}

/** Writes one file over the content of another: its owner, its mode and its other names stay. */
export async function copyInPlace(from: Buffer, to: Buffer): Promise<void> {
  const source = await open(from, constants.O_RDONLY)
  try {
    const target = await openInPlace(to, O_TRUNC)
    try {
      const buffer = Buffer.allocUnsafe(copyBytes)
      for (;;) {
        const { bytesRead } = await source.read(buffer, 0, copyBytes, null)
        if (bytesRead === 0) break
        await writeAll(target, [buffer.subarray(0, bytesRead)])
      }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Writes all pieces where the file stands; the system may take less at once. */
export async function writeAll(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  for (let left = pieces; left.length > 0; ) {
    const { bytesWritten } = await file.writev(left as Uint8Array[])
    left = after(left, bytesWritten)
  }
}

/** What is left of pieces behind so many bytes. */
function after(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let gone = bytes
  return pieces.flatMap((piece) => {
    const rest = piece.subarray(Math.min(gone, piece.length))
    gone -= piece.length - rest.length
    return rest.length > 0 ? [rest] : []
  })
}

/** For what is closed early when it fails, and at its end otherwise. */
export function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= act()
    return done
  }
}

function sinkTo(file: FileHandle, path: Uint8Array): FileSink {
  const close = once(() => file.close())
  return {
    write: (pieces) => writeAll(file, pieces).catch(throwAsFileError('write', path)),
    async finish() {
      await close().catch(throwAsFileError('write', path))
      return 'in place'
    },
    abort: () => close().catch(() => {}),
  }
}

/** Never waits: a pipe that nobody reads is an error instead. */
function openInPlace(place: Buffer, flags: number): Promise<FileHandle> {
  return open(place, O_WRONLY | O_NONBLOCK | O_NOCTTY | flags)
}
