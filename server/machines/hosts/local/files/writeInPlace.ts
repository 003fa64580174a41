import { constants, type FileHandle, open } from 'node:fs/promises'
import { once } from '../../../../concurrency/once.ts'
import type { FileSink } from '../../files.ts'
import { throwAsFileError } from './toFileError.ts'

const copyBytes = 1024 * 1024
const { O_NOCTTY = 0, O_NONBLOCK = 0, O_TRUNC, O_WRONLY } = constants

/** Opens a file to replace its content in place. @param path the requested path, for error messages */
export async function writeFileInPlace(real: Buffer, path: Uint8Array): Promise<FileSink> {
  return sinkTo(await openInPlace(real, O_TRUNC), path)
}

/** Opens a device or a pipe for writing. @param path the requested path, for error messages */
export async function writeDevice(real: Buffer, path: Uint8Array): Promise<FileSink> {
  return sinkTo(await openInPlace(real, 0), path)
}

/** Copies the content of a file into another one, whose owner, mode and hard links stay. */
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

/** Writes all pieces at the current position, in several calls if the system writes only a part. */
export async function writeAll(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  for (let remaining = pieces; remaining.length > 0; ) {
    const { bytesWritten } = await file.writev(remaining as Uint8Array[])
    remaining = withoutFirst(remaining, bytesWritten)
  }
}

/** The pieces without this many bytes at their start. */
function withoutFirst(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skip = bytes
  return pieces.flatMap((piece) => {
    const rest = piece.subarray(Math.min(skip, piece.length))
    skip -= piece.length - rest.length
    return rest.length > 0 ? [rest] : []
  })
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

/** Does not block: a pipe without a reader is an error. */
function openInPlace(path: Buffer, flags: number): Promise<FileHandle> {
  return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | flags)
}
