import type { CheckRule } from '../../../../src/schemas/endpoints/checkEndpoints.ts'
import { smtpReply, talkTo } from '../parts/connection.ts'
import { CheckFailure, type Runner } from '../parts/runner.ts'
import { hasText } from '../parts/textSearch.ts'

/** Reads the greeting of a mail server that takes mail, and what it can. */
export const runSmtp: Runner<'smtp'> = (check, target, context) =>
  talkTo(target, context, check, async (talk) => {
    const greeting = await smtpReply(talk)
    if (!greeting.startsWith('220'))
      throw new CheckFailure('greeting', { said: greeting.slice(0, 200) }, { answer: greeting })
    talk.write('EHLO wheelhouse.invalid\r\n')
    const hello = await smtpReply(talk)
    const answer = `${greeting}\n${hello}`
    if (!hello.startsWith('250')) throw new CheckFailure('greeting', { said: hello.slice(0, 200) }, { answer })
    talk.write('QUIT\r\n')
    const capabilities = hello
      .split('\n')
      .slice(1)
      .map((line) => line.slice(4))
    return { code: Number(hello.slice(0, 3)), answer, rules: capabilityRules(check.capabilities, capabilities) }
  })

/** Reads the greeting of a mail server that people read their mail from, and what it can. */
export const runImap: Runner<'imap'> = (check, target, context) =>
  talkTo(target, context, check, async (talk) => {
    const greeting = await talk.line()
    if (!/^\* (OK|PREAUTH)/i.test(greeting)) {
      throw new CheckFailure('greeting', { said: greeting.slice(0, 200) }, { answer: greeting })
    }
    talk.write('a1 CAPABILITY\r\n')
    const lines = [greeting, ...(await talk.lines((line) => line.startsWith('a1 ')))]
    talk.write('a2 LOGOUT\r\n')
    const capabilities = lines.flatMap((line) => /^\* CAPABILITY (.*)$/i.exec(line)?.[1]?.split(' ') ?? [])
    return { answer: lines.join('\n'), rules: capabilityRules(check.capabilities, capabilities) }
  })

/** Reads the greeting of a mail server that people fetch their mail from, and what it can. */
export const runPop3: Runner<'pop3'> = (check, target, context) =>
  talkTo(target, context, check, async (talk) => {
    const greeting = await talk.line()
    if (!greeting.startsWith('+OK')) {
      throw new CheckFailure('greeting', { said: greeting.slice(0, 200) }, { answer: greeting })
    }
    talk.write('CAPA\r\n')
    const lines = await talk.lines((line, index) => line === '.' || (index === 0 && !line.startsWith('+OK')))
    talk.write('QUIT\r\n')
    const capabilities = lines[0]?.startsWith('+OK') ? lines.slice(1, -1) : []
    return { answer: [greeting, ...lines].join('\n'), rules: capabilityRules(check.capabilities, capabilities) }
  })

/** Lines that may come before the version (RFC 4253, 4.2). */
const maxSshLines = 20

/** Reads the greeting of an SSH server. */
export const runSsh: Runner<'ssh'> = (check, target, context) =>
  talkTo(target, context, {}, async (talk) => {
    const lines: string[] = []
    while (!lines.at(-1)?.startsWith('SSH-')) {
      if (lines.length >= maxSshLines)
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

/**
 * Judges what a server must be able to do.
 * @param wanted words with blanks between them, as `STARTTLS SIZE`
 * @param offered lines or words of the server
 */
function capabilityRules(wanted: string, offered: readonly string[]): CheckRule[] {
  const words = new Set(offered.flatMap((line) => [line, ...line.split(/\s+/)]).map((word) => word.toUpperCase()))
  const found = offered.join(', ').slice(0, 200)
  return wanted
    .split(/\s+/)
    .filter(Boolean)
    .map((expected) => ({
      rule: 'capabilities',
      ok: words.has(expected.toUpperCase()),
      expected,
      found,
    }))
}
