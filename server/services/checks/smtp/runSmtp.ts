import { capabilityRules } from '../parts/capabilityRules.ts'
import { talkTo } from '../parts/openConnection.ts'
import { CheckFailure, type Runner } from '../parts/runner.ts'
import { smtpReply } from '../parts/smtpReply.ts'

/** Reads the greeting of a mail server, and what it can. */
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
