import { capabilityRules } from '../parts/capabilityRules.ts'
import { talkTo } from '../parts/openConnection.ts'
import { CheckFailure, type Runner } from '../parts/runner.ts'

/** Reads the greeting of a mail server, and what it can. */
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
