import { bytesOfEscaped } from '../../../../src/schemas/formats/escapes.ts'
import { converse, openConnection } from '../parts/connection.ts'
import type { Runner } from '../parts/runner.ts'
import { searchFor } from '../parts/textSearch.ts'

/** Connects, sends, and waits until what is expected has come. */
export const runTcp: Runner<'tcp'> = async (check, target, context) => {
  const { stream, isConnected } = await openConnection(target, context, check)
  try {
    if (!check.send && !check.expect) {
      // A machine with an agent says only by its own check whether the port takes connections.
      if (!isConnected) return await context.connects(target)
      return {}
    }
    const startedAt = performance.now()
    const talk = converse(stream, context.signal, () => {
      context.phases.first_byte ??= performance.now() - startedAt
    })
    if (check.send) talk.write(bytesOfEscaped(check.send) ?? '')
    const isExpected = searchFor(Buffer.from(bytesOfEscaped(check.expect) ?? []).toString('latin1'))
    let seen: Buffer = Buffer.alloc(0)
    const isFound = await talk
      .read((bytes) => {
        const added = bytes.toString('latin1', seen.length)
        seen = bytes
        return bytes.length > 0 && isExpected(added) ? bytes.length : undefined
      })
      .then(
        () => true,
        // What has come until the end, or until the time was over, is the answer.
        (error: unknown) => {
          if (seen.length === 0) throw error
          return false
        },
      )
    return {
      answer: textOf(seen),
      rules: check.expect ? [{ rule: 'expect', ok: isFound, expected: check.expect }] : [],
    }
  } finally {
    stream.destroy()
  }
}

/** Bytes that are no text are shown as escapes. */
const textOf = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replaceAll(
      /(?![\t\r\n])[\p{Cc}\x80-\xff]/gu,
      (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
