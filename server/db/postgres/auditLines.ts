import { createSerialQueue } from '../../concurrency/serialQueue.ts'
import { leaveTurn } from '../../concurrency/takeTurns.ts'
import { unreadableError } from '../storeError.ts'
import { literalOf, restoredText } from './columnTypes.ts'
import type { CommitWriter } from './commitWriter.ts'
import { answerMs, type PostgresPlace, quotedSchema } from './connection.ts'
import { openReader } from './reader.ts'
import type { WaitingFile } from './waitingAuditLines.ts'

/** The lines of the audit log in PostgreSQL. They travel as commits, so that no reply leaves before its line is there. */
export interface AuditLines {
  /**
   * Appends whole lines or, when it throws, nothing.
   * @throws an error that `writeObstacle` knows, when too much waits already
   */
  append(text: string): void
  /** `limit` lines before the last `offset` ones, the latest first, and the number of all lines. */
  read(offset: number, limit: number): Promise<{ lines: string[]; total: number }>
  /**
   * `limit` of the lines that match, the latest first, after the latest `offset` ones; and how many match. `number` is
   * the number of a line, counted from the oldest one.
   * @param key the same for the same search: a repeated one reads only what was written since
   */
  find(
    key: string,
    matches: (line: string) => boolean,
    offset: number,
    limit: number,
  ): Promise<{ lines: { text: string; number: number }[]; total: number }>
  close(): void
}

interface AuditLinesOptions {
  place: PostgresPlace
  nodeId: string
  writer: Pick<CommitWriter, 'append' | 'durable' | 'numbers' | 'whenShown' | 'whenDurable'>
  /** Bytes of all lines. The oldest ones are deleted beyond it. */
  maxBytes: number
  /** Where lines are kept while PostgreSQL is away. Without it, they are in memory only. */
  waitingFile?: WaitingFile
}

/** Lines between two times that old ones are deleted, and how many are at once. */
const [trimEvery, trimmedAtOnce] = [100, 1000]
/** Lines that a search reads at once. */
const linesAtOnce = 2000
/** Searches whose matches are cached, and how many of each are kept, the latest ones. */
const [maxKeys, maxMatches] = [4, 200_000]

/** What a search has read. */
interface Scan {
  upTo: number
  /** The line with that number and where it ends: lines that come late move those after them. */
  mark: string
  /** Of the lines that match. */
  numbers: number[]
}

/** The statement that appends a line: `ends` is where it ends among the bytes of all lines, those that are gone included. */
export const appendStatement = (schema: string, line: string): string =>
  `INSERT INTO ${schema}.audit_line (number, ends, line)
   SELECT coalesce(max(number), 0) + 1, coalesce(max(ends), 0) + ${Buffer.byteLength(line) + 1},
     ${literalOf(line, { name: 'line', type: 'text' })} FROM ${schema}.audit_line`

export function openAuditLines({ place, nodeId, writer, maxBytes, waitingFile }: AuditLinesOptions): AuditLines {
  const schema = quotedSchema(place)
  const reader = openReader(place, nodeId)
  const scans = new Map<string, Scan>()
  /** One search after the other: two of them would read the same lines twice. */
  const inTurn = createSerialQueue()
  /** The first leads to a look at what an earlier leader left. */
  let untilTrim = 1
  /** The number of the last commit with a line that is in the file. */
  let keptUpTo = 0

  /**
   * Keeps what the last commit has appended in the file, if it is shown before it is durable: what somebody has seen must
   * not go with this process.
   */
  function keepWhileAway(file: WaitingFile, text: string): void {
    const { last } = writer.numbers()
    writer.whenShown(() => {
      if (writer.numbers().durable >= last) return
      file.keep(text)
      keptUpTo = last
      writer.whenDurable(() => {
        if (keptUpTo === last) file.clear()
      })
    })
  }

  const trimStatement = `DELETE FROM ${schema}.audit_line WHERE number IN (SELECT number FROM ${schema}.audit_line
    WHERE ends <= (SELECT max(ends) FROM ${schema}.audit_line) - ${maxBytes} ORDER BY ends LIMIT ${trimmedAtOnce})`

  /**
   * The numbers of the first and the last line; the last one is 0 without any.
   * @param at the number of a line, whose mark comes with them
   */
  async function bounds(at = 0): Promise<{ first: number; last: number; mark: string }> {
    // Whoever has caused a line finds it.
    if (!(await writer.durable(answerMs))) throw unreadableError()
    const [row] = await reader.rows(
      `SELECT min(number), max(number), (SELECT ends || line FROM ${schema}.audit_line WHERE number = $1)
       FROM ${schema}.audit_line`,
      [at],
    )
    return { first: Number(row?.[0] ?? 1), last: Number(row?.[1] ?? 0), mark: row?.[2] ?? '' }
  }

  async function search(
    key: string,
    matches: (line: string) => boolean,
  ): Promise<{ first: number; numbers: number[] }> {
    let scan = scans.get(key) ?? { upTo: 0, mark: '', numbers: [] }
    const { first, last, mark } = await bounds(scan.upTo)
    if (scan.upTo >= first && mark !== scan.mark) scan = { upTo: 0, mark: '', numbers: [] }
    scans.delete(key)
    scans.set(key, scan)
    for (const oldest of [...scans.keys()].slice(0, -maxKeys)) scans.delete(oldest)
    while (scan.upTo < last) {
      const rows = await reader.rows(
        `SELECT number, line, ends FROM ${schema}.audit_line WHERE number > $1 ORDER BY number LIMIT ${linesAtOnce}`,
        [scan.upTo],
      )
      if (rows.length === 0) break
      for (const [number, line] of rows) if (matches(restoredText(line ?? ''))) scan.numbers.push(Number(number))
      const [number, line, ends] = rows.at(-1) ?? []
      scan.upTo = Number(number)
      scan.mark = `${ends}${line}`
      await leaveTurn()
    }
    const gone = scan.numbers.findIndex((number) => number >= first)
    scan.numbers.splice(0, Math.max(gone < 0 ? scan.numbers.length : gone, scan.numbers.length - maxMatches))
    return { first, numbers: scan.numbers }
  }

  async function find(key: string, matches: (line: string) => boolean, offset: number, limit: number) {
    const { first, numbers } = await search(key, matches)
    const total = numbers.length
    const shown = numbers.slice(Math.max(0, total - offset - limit), Math.max(0, total - offset))
    const rows = await reader.rows(
      `SELECT number, line FROM ${schema}.audit_line WHERE number = ANY($1::bigint[]) ORDER BY number DESC`,
      [`{${shown.join()}}`],
    )
    return {
      lines: rows.map(([number, line]) => ({ text: restoredText(line ?? ''), number: Number(number) - first + 1 })),
      total,
    }
  }

  return {
    append(text) {
      writer.append(() => {
        const lines = text.split('\n').filter((line) => line !== '')
        const isTrimmed = lines.length >= untilTrim
        untilTrim = isTrimmed ? trimEvery : untilTrim - lines.length
        return [...lines.map((line) => appendStatement(schema, line)), ...(isTrimmed ? [trimStatement] : [])]
      })
      if (waitingFile) keepWhileAway(waitingFile, text)
    },
    async read(offset, limit) {
      const { first, last } = await bounds()
      const rows = await reader.rows(
        `SELECT line FROM ${schema}.audit_line WHERE number <= $1 AND number > $2 ORDER BY number DESC`,
        [last - offset, last - offset - limit],
      )
      return { lines: rows.map(([line]) => restoredText(line ?? '')), total: last - first + 1 }
    },
    find: (key, matches, offset, limit) => inTurn(() => find(key, matches, offset, limit)),
    close: reader.close,
  }
}
