import type { CheckOf } from '../../../../src/schemas/checks/checks.ts'
import { type Conversation, talkTo } from '../parts/connection.ts'
import { CheckFailure, type Findings, otherProtocol, type Runner, refusedByServer, rowLimits } from '../parts/runner.ts'
import { scramSha256 } from '../parts/scram.ts'
import { type BsonDocument, type BsonValue, decodeBson, encodeBson } from './bson.ts'

/**
 * Asks whether MongoDB answers, signs in by SCRAM-SHA-256 where it should, and runs a command that must give something.
 * The protocol is spoken here (docs/decisions/service-checks.md).
 */
export const runMongodb: Runner<'mongodb'> = (check, target, context) =>
  talkTo(target, context, check, async (talk) => {
    const hello = await call(talk, { hello: 1 }, 'admin')
    if (check.user) await signIn(talk, check)
    if (!check.query) return { answer: readable(hello) }
    return runQuery(talk, check)
  })

async function runQuery(talk: Conversation, { query, database }: CheckOf<'mongodb'>): Promise<Findings> {
  const reply = await call(talk, JSON.parse(query), database || 'admin')
  if (!isOk(reply)) throw refused(reply)
  const { cursor } = reply
  const isList = isDocument(cursor) && Array.isArray(cursor.firstBatch)
  const rows = isList ? (cursor.firstBatch as BsonValue[]) : [reply]
  const answer = isList ? rows.slice(0, rowLimits.rows).map(readable).join('\n') : readable(reply)
  return { answer, rules: [{ rule: 'query', ok: rows.length > 0, expected: query }] }
}

/** @throws CheckFailure */
async function signIn(talk: Conversation, { user, password, database }: CheckOf<'mongodb'>): Promise<void> {
  const source = database || 'admin'
  const scram = scramSha256(user, password)
  const start = { saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: Buffer.from(scram.first) }
  const first = await accepted(talk, { ...start, options: { skipEmptyExchange: true } }, source)
  const payload = Buffer.from(await scram.answer(payloadOf(first)))
  const conversationId = Number(first.conversationId)
  const last = await accepted(talk, { saslContinue: 1, conversationId, payload }, source)
  if (!scram.isProven(payloadOf(last)))
    throw new CheckFailure('sign_in_unknown', { said: payloadOf(last).slice(0, 200) })
  if (last.done !== true) {
    await accepted(talk, { saslContinue: 1, conversationId, payload: Buffer.alloc(0) }, source)
  }
}

const payloadOf = ({ payload }: BsonDocument): string => (Buffer.isBuffer(payload) ? payload.toString() : '')

async function accepted(talk: Conversation, command: BsonDocument, database: string): Promise<BsonDocument> {
  const reply = await call(talk, command, database)
  if (isOk(reply)) return reply
  throw refused(reply)
}

const isOk = ({ ok }: BsonDocument): boolean => Number(ok) === 1

const refused = ({ errmsg, code }: BsonDocument): CheckFailure =>
  refusedByServer(String(errmsg ?? ''), typeof code === 'number' ? code : undefined)

/** Bytes of a reply: its head, and all of it. */
const [headBytes, maxBytes] = [16, 200_000]
/** `OP_MSG`. */
const operation = 2013

/** Runs a command. @returns what the server says to it, also a refusal @throws CheckFailure for what is no reply */
async function call(talk: Conversation, command: BsonDocument, database: string): Promise<BsonDocument> {
  const body = encodeBson({ ...command, $db: database })
  const head = Buffer.alloc(headBytes + 5)
  head.writeInt32LE(head.length + body.length, 0)
  head.writeInt32LE(1, 4)
  head.writeInt32LE(operation, 12)
  talk.write(Buffer.concat([head, body]))
  const replyHead = await talk.bytes(headBytes)
  const length = replyHead.readInt32LE(0) - headBytes
  if (replyHead.readInt32LE(12) !== operation || length < 10) {
    throw otherProtocol('MongoDB', Buffer.concat([replyHead, talk.pending()]))
  }
  if (length > maxBytes) throw new CheckFailure('too_much')
  // After the flags, a section of the kind 0 is a document.
  const reply = await talk.bytes(length)
  if (reply[4] !== 0) throw new CheckFailure('other_protocol', { wanted: 'MongoDB' })
  return decodeBson(reply.subarray(5))
}

const isDocument = (value: BsonValue | undefined): value is BsonDocument =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value)

/** As JSON, with bytes in base64. */
const readable = (value: BsonValue): string =>
  JSON.stringify(value, (_, one: unknown) =>
    one instanceof Object && 'type' in one && one.type === 'Buffer' && 'data' in one && Array.isArray(one.data)
      ? Buffer.from(one.data).toString('base64')
      : one,
  )
