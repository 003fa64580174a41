import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { errorCode } from '../../../../../src/domain/errors.ts'
import { OperationError } from '../../operations.ts'

/** In hexadecimal. */
export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/**
 * Compares the present content of a file with what somebody has seen of it.
 * @param expected as 64 hexadecimal digits; '' for anything
 * @throws OperationError when it is different
 */
export async function checkPresentContent(path: string, expected = ''): Promise<void> {
  if (expected === '') return
  if (!/^[\da-f]{64}$/i.test(expected)) throw new OperationError('refused', 'if_match_sha256 must be 64 hex chars')
  if ((await presentHash(path)) === expected.toLowerCase()) return
  throw new OperationError('refused', 'if_match precondition failed: sha256 mismatch')
}

/** `undefined` when there is no such file. */
async function presentHash(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isFile()) return undefined
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    return hash.digest('hex')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
