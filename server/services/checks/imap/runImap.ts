import { capabilityRules } from '../parts/capabilityRules.ts'
import { talkTo } from '../parts/openConnection.ts'
import { CheckFailure, type Runner } from '../parts/runner.ts'

/** Reads the greeting of a mail server, and what it can. */
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
