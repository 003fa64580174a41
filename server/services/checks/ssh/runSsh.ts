import { hasText } from '../parts/hasText.ts'
import { talkTo } from '../parts/openConnection.ts'
import { CheckFailure, type Runner } from '../parts/runner.ts'

/** Lines that may come before the version (RFC 4253, 4.2). */
const maxLines = 20

/** Reads the greeting of an SSH server. */
export const runSsh: Runner<'ssh'> = (check, target, context) =>
  talkTo(target, context, {}, async (talk) => {
    const lines: string[] = []
    while (!lines.at(-1)?.startsWith('SSH-')) {
      if (lines.length >= maxLines)
        throw new CheckFailure('greeting', { said: lines[0] ?? '' }, { answer: lines.join('\n') })
      lines.push(await talk.line())
    }
    const version = lines.at(-1) ?? ''
    return {
      answer: lines.join('\n'),
      rules: check.expect
        ? [{ rule: 'expect', ok: hasText(version, check.expect), expected: check.expect, found: version }]
        : [],
    }
  })
