import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { OperationError, operationLimits, type ReadOrder, type ReadResult } from '../../operations.ts'
import { sha256Of } from './sha256.ts'

const { O_NOCTTY = 0, O_NONBLOCK = 0, O_RDONLY } = constants

/** @throws OperationError, or the system's error */
export async function readPart({ path, offset = 0, length = 0, encoding = 'utf8' }: ReadOrder): Promise<ReadResult> {
  if (encoding !== 'utf8' && encoding !== 'base64') {
    throw new OperationError('refused', `unknown encoding: ${String(encoding).slice(0, 64)}`)
  }
  if (offset < 0) throw new OperationError('refused', 'offset must be >= 0')
  if (length < 0) throw new OperationError('refused', 'length must be >= 0')
  // Opening a device may have effects, and opening a pipe may block.
  if (!(await stat(path)).isFile()) throw new OperationError('refused', 'path is not a regular file')
  const file = await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  try {
    const { size } = await file.stat()
    const most = Math.min(length || operationLimits.readBytes, operationLimits.readBytes, Math.max(0, size - offset))
    const bytes = Buffer.alloc(most)
    let filled = 0
    while (filled < most) {
      const { bytesRead } = await file.read(bytes, filled, most - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    const part = bytes.subarray(0, filled)
    const isCut = offset + filled < size
    return {
      content: part.toString(encoding),
      encoding,
      size: filled,
      sha256: sha256Of(part),
      ...(isCut && { truncated: true }),
    }
  } finally {
    await file.close()
  }
}
