import { OperationError, type WriteOrder, type WriteResult } from '../../operations.ts'
import { openReplacement } from './openReplacement.ts'
import { sha256Of } from './sha256.ts'

/** Replaces a file. @throws OperationError, FileError, or the system's error; the file is as it was then */
export async function writeWhole({ path, content, encoding, ...options }: WriteOrder): Promise<WriteResult> {
  const bytes = decode(content, encoding)
  const replacement = await openReplacement(path, options)
  try {
    await replacement.write([bytes])
    await replacement.finish()
  } catch (error) {
    await replacement.abort()
    throw error
  }
  return { size: bytes.length, sha256: sha256Of(bytes) }
}

function decode(content: string, encoding: string = 'utf8'): Buffer {
  if (encoding === 'utf8') return Buffer.from(content)
  if (encoding !== 'base64') throw new OperationError('refused', `unknown encoding: ${encoding.slice(0, 64)}`)
  // Buffer.from passes over what is no base64.
  if (!/^[A-Za-z\d+/\s]*={0,2}\s*$/.test(content)) {
    throw new OperationError('refused', 'invalid base64: illegal base64 data')
  }
  return Buffer.from(content, 'base64')
}
