import type { Duplex } from 'node:stream'
import type { CheckOf } from '../../../../src/schemas/checks/checks.ts'
import { openConnection, secured, timedTalk } from '../parts/openConnection.ts'
import { rowsText } from '../parts/rows.ts'
import { CheckFailure, type Findings, type RunContext, type Runner } from '../parts/runner.ts'
import { capabilities, type Greeting, readGreeting, sslRequest } from './greeting.ts'
import { createPackets, type Packets, refusal } from './packets.ts'
import { readRows } from './readRows.ts'
import { signIn } from './signIn.ts'

/**
 * Asks whether MySQL or MariaDB answers, signs in where it should, and asks for a row. The protocol is spoken here
 * (docs/decisions/service-checks.md).
 */
export const runMysql: Runner<'mysql'> = async (check, target, context) => {
  const { stream } = await openConnection(target, context)
  try {
    const talk = timedTalk(stream, context)
    const packets = createPackets(talk)
    const greeting = readGreeting(await packets.read())
    if (!check.tls) return await ask(packets, greeting, check)
    if (!(greeting.capabilities & capabilities.ssl)) throw new CheckFailure('no_starttls', { said: greeting.version })
    packets.write(sslRequest())
    talk.release()
    return await askSecured(stream, packets.sequence(), greeting, { check, target, context })
  } finally {
    stream.destroy()
  }
}

async function askSecured(
  plain: Duplex,
  sequence: number,
  greeting: Greeting,
  { check, target, context }: { check: CheckOf<'mysql'>; target: string; context: RunContext },
): Promise<Findings> {
  const stream = await secured(plain, target, context, check)
  return ask(createPackets(timedTalk(stream, context), sequence), greeting, check)
}

/** The name under which is asked whether somebody is there: a connection that says nothing counts as a broken one. */
const nobody = 'wheelhouse'

async function ask(packets: Packets, greeting: Greeting, check: CheckOf<'mysql'>): Promise<Findings> {
  if (!check.user) {
    const answer = await signIn(packets, greeting, { ...check, user: nobody, password: '', database: '' }).then(
      () => greeting.version,
      (error: unknown) => {
        // Without a sign-in, a server that asks for one answers as what it is.
        if (error instanceof CheckFailure && error.reason.key === 'refused_by_server') return error.reason.values.said
        throw error
      },
    )
    return { answer: String(answer) }
  }
  await signIn(packets, greeting, check)
  if (!check.query) return { answer: greeting.version }
  const rows = await query(packets, check.query)
  packets.begin()
  packets.write(Buffer.from([1]))
  return { answer: rowsText(rows), rules: [{ rule: 'query', ok: rows.length > 0, expected: check.query }] }
}

async function query(packets: Packets, text: string): Promise<(string | null)[][]> {
  packets.begin()
  packets.write(Buffer.concat([Buffer.from([3]), Buffer.from(text)]))
  const first = await packets.read()
  if (first[0] === 0xff) throw refusal(first)
  // Nothing but that it is done; or that a file of this machine is wanted.
  if (first[0] === 0 || first[0] === 0xfb) return []
  return readRows(packets, first)
}
