import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { StartError } from '../../log.ts'
import { literalOf, restoredText } from './columnTypes.ts'
import { connect, connectionError, drop, type PostgresPlace, quotedSchema, readRows, run } from './connection.ts'
import { copyMs } from './copy.ts'

/** Lines that are read, and characters that are written, in one statement. */
const [linesAtOnce, charactersAtOnce] = [1000, 512 * 1024]

/**
 * Writes all lines of an audit log, the oldest first, within the transaction that is open, and compares what is there then.
 * @returns how many there are
 * @throws StartError where what was written is not what is read
 */
export async function writeAuditLines(client: Client, place: PostgresPlace, lines: Iterable<string>): Promise<number> {
  const target = `${quotedSchema(place)}.audit_line`
  await run(client, `TRUNCATE ${target}`, copyMs)
  const written = createHash('sha256')
  let count = 0
  function* counted(): Iterable<string> {
    for (const line of lines) {
      written.update(`${line}\n`)
      count++
      yield line
    }
  }
  for (const statement of auditLineStatements(target, counted())) await run(client, statement, copyMs)
  const read = createHash('sha256')
  for await (const text of textOf(client, place)) read.update(text)
  if (read.digest('hex') !== written.digest('hex'))
    throw new StartError('The copy of the audit log differs from what is there: it must not be used.')
  return count
}

/**
 * The statements that append lines, some at a time.
 * @param target the table
 * @param before number and end of the line before the first of them
 */
export function* auditLineStatements(
  target: string,
  lines: Iterable<string>,
  before = { number: 0, ends: 0 },
): Iterable<string> {
  let { number, ends } = before
  let values: string[] = []
  let characters = 0
  const statement = () => `INSERT INTO ${target} (number, ends, line) VALUES ${values.join(', ')}`
  for (const line of lines) {
    number++
    ends += Buffer.byteLength(line) + 1
    values.push(`(${number}, ${ends}, ${literalOf(line, { name: 'line', type: 'text' })})`)
    characters += line.length
    if (characters <= charactersAtOnce && values.length < linesAtOnce) continue
    yield statement()
    values = []
    characters = 0
  }
  if (values.length > 0) yield statement()
}

/**
 * Hands over the whole audit log, the oldest line first, some lines at a time; each ends with a line feed.
 * @returns how many lines there are
 * @throws StoreError with a sentence for the operator
 */
export async function readAuditLog(place: PostgresPlace, append: (text: string) => void): Promise<number> {
  let client: Client | undefined
  let count = 0
  try {
    client = await connect(place, 'move')
    await run(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    for await (const text of textOf(client, place)) {
      append(text)
      count += text.split('\n').length - 1
    }
    await run(client, 'COMMIT')
    return count
  } catch (error) {
    throw connectionError(place, error)
  } finally {
    drop(client)
  }
}

async function* textOf(client: Client, place: PostgresPlace): AsyncIterable<string> {
  for (let at = 0; ; ) {
    const rows = await readRows(
      client,
      `SELECT number, line FROM ${quotedSchema(place)}.audit_line WHERE number > $1 ORDER BY number LIMIT ${linesAtOnce}`,
      [at],
      copyMs,
    )
    if (rows.length === 0) return
    at = Number(rows.at(-1)?.[0])
    yield rows.map(([, line]) => `${restoredText(line ?? '')}\n`).join('')
  }
}
