import { type Conversation, talkTo } from '../parts/connection.ts'
import { CheckFailure, type Runner, refusedByServer } from '../parts/runner.ts'

/** A value of Redis: a text, nothing, or a list. */
type Value = string | null | Value[]

/** Signs in where it should, and asks for a sign of life or for a value. */
export const runRedis: Runner<'redis'> = (check, target, context) =>
  talkTo(target, context, check, async (talk) => {
    if (check.password) await command(talk, ['AUTH', ...(check.user ? [check.user] : []), check.password])
    if (check.database) await command(talk, ['SELECT', check.database])
    const words = wordsOf(check.query)
    if (words.length === 0) {
      talk.write(encoded(['PING']))
      const reply = await read(talk)
      // Without a sign-in, a server that asks for one answers as what it is.
      const isAlive = !(reply instanceof RedisError) || /^NOAUTH/.test(reply.message)
      if (!isAlive) throw refusedByServer(reply.message)
      return { answer: reply instanceof RedisError ? reply.message : textOf(reply) }
    }
    const value = await command(talk, words)
    const isThere = value !== null && !(Array.isArray(value) && value.length === 0)
    return { answer: textOf(value), rules: [{ rule: 'query', ok: isThere, expected: check.query }] }
  })

class RedisError extends Error {}

/** @throws CheckFailure with what the server says against it */
async function command(talk: Conversation, words: readonly string[]): Promise<Value> {
  talk.write(encoded(words))
  const reply = await read(talk)
  if (!(reply instanceof RedisError)) return reply
  throw refusedByServer(reply.message)
}

const encoded = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`

/** Bytes of a text, and of all that is in a reply; entries of all its lists. */
const limits = { text: 65_536, all: 1024 * 1024, entries: 1000, depth: 8 }

async function read(
  talk: Conversation,
  depth = 0,
  left = { entries: limits.entries, bytes: limits.all },
): Promise<Value | RedisError> {
  const line = await talk.line()
  left.bytes -= line.length
  if (left.bytes < 0) throw new CheckFailure('too_much')
  const rest = line.slice(1)
  switch (line[0]) {
    case '+':
    case ':':
    case ',':
    case '#':
      return rest
    case '-':
      return new RedisError(rest)
    case '_':
      return null
    case '$': {
      const length = Number(rest)
      if (length < 0) return null
      left.bytes -= length
      if (!(length <= limits.text && left.bytes >= 0)) throw new CheckFailure('too_much')
      return (await talk.bytes(length + 2)).subarray(0, length).toString()
    }
    case '*': {
      const count = Number(rest)
      if (count < 0) return null
      left.entries -= count
      if (!(left.entries >= 0) || depth > limits.depth) throw new CheckFailure('too_much')
      const values: Value[] = []
      for (let index = 0; index < count; index++) {
        const value = await read(talk, depth + 1, left)
        values.push(value instanceof RedisError ? value.message : value)
      }
      return values
    }
    default:
      throw new CheckFailure('no_redis', { said: line.slice(0, 200) }, { answer: line })
  }
}

const textOf = (value: Value): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The words of a command, as the shell of Redis reads them: one in quotes may have blanks. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, word]) => double ?? single ?? word ?? '')
