import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { CheckOf } from '../../../../src/schemas/checks/checks.ts'
import { type Conversation, openConnection, secured, starttls, timedTalk } from '../parts/connection.ts'
import {
  CheckFailure,
  type Findings,
  otherProtocol,
  type RunContext,
  type Runner,
  refusedByServer,
  rowLimits,
  rowsText,
} from '../parts/runner.ts'
import { type Scram, scramSha256 } from '../parts/scram.ts'

/**
 * Asks whether PostgreSQL answers, signs in where it should, and asks for a row. The protocol is spoken here
 * (docs/decisions/service-checks.md).
 */
export const runPostgres: Runner<'postgres'> = async (check, target, context) => {
  const opened = await openConnection(target, context)
  try {
    if (!check.user && !check.tls) {
      await answersAsSuch(timedTalk(opened.stream, context))
      return {}
    }
    const stream = check.tls ? await withTls(opened.stream, check, target, context) : opened.stream
    return check.user ? await ask(timedTalk(stream, context), check) : {}
  } finally {
    opened.stream.destroy()
  }
}

async function withTls(
  plain: Duplex,
  check: CheckOf<'postgres'>,
  target: string,
  context: RunContext,
): Promise<Duplex> {
  const talk = timedTalk(plain, context)
  await starttls.postgres(talk)
  return secured(talk.release(), target, context, check)
}

/** Asks for TLS, which each PostgreSQL answers with a letter, and writes to no log. */
async function answersAsSuch(talk: Conversation): Promise<void> {
  talk.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]))
  const [letter = 0] = await talk.bytes(1)
  if (letter !== 0x53 && letter !== 0x4e) throw noPostgres(talk.pending())
}

async function ask(talk: Conversation, check: CheckOf<'postgres'>): Promise<Findings> {
  const { user, database, query } = check
  const settings = ['user', user, ...(database ? ['database', database] : []), 'application_name', 'Wheelhouse']
  talk.write(message('', int32(196_608), Buffer.from(`${settings.join('\0')}\0\0`)))
  const version = await signIn(talk, check)
  if (!query) return { answer: version && `PostgreSQL ${version}` }
  talk.write(message('Q', Buffer.from(`${query}\0`)))
  const rows = await readRows(talk)
  talk.write(message('X'))
  return { answer: rowsText(rows), rules: [{ rule: 'query', ok: rows.length > 0, expected: query }] }
}

/** Bytes of a message, and messages of one reply: a row is one, and a server that starts says some twenty things. */
const limits = { bytes: 200_000, messages: 500 } as const

async function* messages(talk: Conversation): AsyncIterable<{ type: string; body: Buffer }> {
  for (let count = 0; count < limits.messages; count++) {
    const head = await talk.bytes(5)
    const type = String.fromCharCode(head[0] ?? 0)
    const length = head.readInt32BE(1) - 4
    if (!/^[A-Za-z1-3]$/.test(type) || length < 0) throw noPostgres(Buffer.concat([head, talk.pending()]))
    if (length > limits.bytes) throw new CheckFailure('too_much')
    const body = await talk.bytes(length)
    if (type === 'E') throw refused(body)
    yield { type, body }
  }
  throw new CheckFailure('too_much')
}

/** @returns the version of the server @throws CheckFailure */
async function signIn(talk: Conversation, { user, password }: CheckOf<'postgres'>): Promise<string> {
  let version = ''
  let scram: Scram | undefined
  for await (const { type, body } of messages(talk)) {
    if (type === 'Z') return version
    if (type === 'S') {
      const [name, value] = body.toString().split('\0')
      if (name === 'server_version') version = value ?? ''
    }
    if (type !== 'R' || body.length < 4) continue
    const rest = body.subarray(4)
    switch (body.readInt32BE(0)) {
      case 0:
        break
      case 3:
        talk.write(message('p', Buffer.from(`${password}\0`)))
        break
      case 5:
        talk.write(message('p', Buffer.from(`md5${md5(md5(password + user), rest.subarray(0, 4))}\0`)))
        break
      case 10: {
        if (!rest.toString().split('\0').includes('SCRAM-SHA-256')) throw unknownSignIn(rest)
        // The name is that of the first message.
        scram = scramSha256('', password)
        const first = Buffer.from(scram.first)
        talk.write(message('p', Buffer.from('SCRAM-SHA-256\0'), int32(first.length), first))
        break
      }
      case 11:
        talk.write(message('p', Buffer.from((await scram?.answer(rest.toString())) ?? '')))
        break
      case 12:
        if (!scram?.isProven(rest.toString())) throw unknownSignIn(rest)
        break
      default:
        throw unknownSignIn(rest)
    }
  }
  return version
}

/** The first rows of a reply, each with its values as text. */
async function readRows(talk: Conversation): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = []
  for await (const { type, body } of messages(talk)) {
    if (type === 'D') rows.push(valuesOf(body))
    // What is copied in or out is no row.
    if (type === 'Z' || type === 'G' || type === 'H' || type === 'W' || rows.length >= rowLimits.rows) break
  }
  return rows
}

function valuesOf(body: Buffer): (string | null)[] {
  const values: (string | null)[] = []
  let at = 2
  for (let left = body.length >= 2 ? body.readUInt16BE(0) : 0; left > 0 && at + 4 <= body.length; left--) {
    const length = body.readInt32BE(at)
    at += 4
    values.push(length < 0 ? null : body.toString('utf8', at, at + Math.min(length, rowLimits.value)))
    at += Math.max(0, length)
  }
  return values
}

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function md5(...parts: (string | Buffer)[]): string {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** What the server says against it: the text is the field `M`. */
function refused(body: Buffer): CheckFailure {
  const fields = body.toString().split('\0')
  return refusedByServer(fields.find((field) => field.startsWith('M'))?.slice(1, 201) ?? '')
}

const unknownSignIn = (rest: Buffer) =>
  new CheckFailure('sign_in_unknown', { said: rest.toString('latin1').replaceAll('\0', ' ').trim().slice(0, 200) })

const noPostgres = (bytes: Buffer) => otherProtocol('PostgreSQL', bytes)
