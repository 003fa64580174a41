import { type BigIntStats, closeSync, fstatSync, openSync, read } from 'node:fs'
import { promisify } from 'node:util'
import { errorCode } from '../../src/domain/errors.ts'
import { createSerialQueue } from '../concurrency/serialQueue.ts'

const readBytes = promisify(read)

/** Reads lines from the end of files that only grow and get new names, and counts all of them. */
export interface TailReader {
  /** `limit` lines before the last `offset` ones, the latest first, and the number of all lines. */
  read(offset: number, limit: number): Promise<{ lines: string[]; total: number }>
}

interface OpenFile {
  fd: number
  size: number
  /** Names the file whatever its path is. */
  key: string
}

const chunkBytes = 64 * 1024
const lineEnd = 0x0a

/**
 * Never holds a whole file: a page costs as much as the lines after it, and lines are counted once. A file that has
 * become shorter is counted again.
 * @param paths the latest first; those that do not exist are passed over
 */
export function createTailReader(paths: readonly string[]): TailReader {
  let countedByKey = new Map<string, { bytes: number; lines: number }>()

  async function count({ fd, size, key }: OpenFile): Promise<number> {
    const counted = countedByKey.get(key)
    let { bytes, lines } = counted && counted.bytes <= size ? counted : { bytes: 0, lines: 0 }
    for (const chunk = Buffer.alloc(chunkBytes); bytes < size; ) {
      const { bytesRead } = await readBytes(fd, chunk, 0, Math.min(chunkBytes, size - bytes), bytes)
      if (bytesRead === 0) break
      for (let at = chunk.indexOf(lineEnd); at !== -1 && at < bytesRead; at = chunk.indexOf(lineEnd, at + 1)) lines++
      bytes += bytesRead
    }
    countedByKey.set(key, { bytes, lines })
    return lines
  }

  return {
    async read(offset, limit) {
      // At once, so that no file gets another name in between.
      const files = paths.flatMap(openIfThere)
      try {
        countedByKey = new Map([...countedByKey].filter(([key]) => files.some((file) => file.key === key)))
        const lines: string[] = []
        let total = 0
        for (const file of files) {
          const skipped = Math.max(0, offset - total)
          total += await count(file)
          if (offset < total && lines.length < limit) {
            lines.push(...(await tailOf(file.fd, file.size, skipped, limit - lines.length)))
          }
        }
        return { lines, total }
      } finally {
        for (const { fd } of files) closeSync(fd)
      }
    },
  }
}

/** Opens a file to read it, if it exists. */
function openIfThere(path: string): OpenFile[] {
  try {
    const fd = openSync(path, 'r')
    const { ino, birthtimeNs, size }: BigIntStats = fstatSync(fd, { bigint: true })
    return [{ fd, size: Number(size), key: `${ino} ${birthtimeNs}` }]
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

/** The lines before `size`, from the last to the first: `offset` of them are skipped, `limit` are returned. */
async function tailOf(fd: number, size: number, offset: number, limit: number): Promise<string[]> {
  const lines: string[] = []
  let skipped = 0
  /** The end of a line, until its beginning is read. */
  let lineParts: Buffer[] = []
  function finishLine(): void {
    const line = Buffer.concat(lineParts)
    lineParts = []
    if (line.length === 0) return
    if (skipped++ >= offset) lines.push(line.toString('utf8'))
  }
  for (let end = size; end > 0 && lines.length < limit; ) {
    const start = Math.max(0, end - chunkBytes)
    const chunk = Buffer.alloc(end - start)
    await readBytes(fd, chunk, 0, chunk.length, start)
    let until = chunk.length
    for (let at = chunk.lastIndexOf(lineEnd); at !== -1 && lines.length < limit; at = lineEndBefore(chunk, at)) {
      lineParts.unshift(chunk.subarray(at + 1, until))
      finishLine()
      until = at
    }
    lineParts.unshift(chunk.subarray(0, until))
    end = start
  }
  if (lines.length < limit) finishLine()
  return lines
}

/** A negative index would count from the end. */
const lineEndBefore = (chunk: Buffer, at: number) => (at === 0 ? -1 : chunk.lastIndexOf(lineEnd, at - 1))

/** Finds lines in files that only grow and get new names. */
export interface LineSearch {
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
}

interface Match {
  start: number
  end: number
  /** From 1, in its file. */
  number: number
}

/** What has been read of one file. */
interface Scan {
  bytes: number
  lines: number
  matches: Match[]
}

/** Searches whose matches are cached: an open page repeats its own every few seconds. */
const maxKeys = 4
/** Matches that are kept of a file of 16 MiB, the latest ones. */
export const maxMatches = 20_000

/**
 * A search reads every file once, 64 KiB at a time, so that other requests get their turn in between.
 * @param paths the latest first; those that do not exist are passed over
 */
export function createLineSearch(paths: readonly string[]): LineSearch {
  const scansByKey = new Map<string, Map<string, Scan>>()
  /** One search after the other: two of them would read the same bytes twice. */
  const inTurn = createSerialQueue()

  async function find(key: string, matches: (line: string) => boolean, offset: number, limit: number) {
    const before = scansByKey.get(key)
    const scans = new Map<string, Scan>()
    // At once, so that no file gets another name in between.
    const files = paths.flatMap(openIfThere)
    try {
      for (const file of files) {
        const scan = before?.get(file.key)
        const usable = scan && scan.bytes <= file.size ? scan : { bytes: 0, lines: 0, matches: [] }
        await readOn(file, usable, matches)
        scans.set(file.key, usable)
      }
      scansByKey.delete(key)
      scansByKey.set(key, scans)
      for (const oldest of [...scansByKey.keys()].slice(0, -maxKeys)) scansByKey.delete(oldest)
      return await pageOf(files, scans, offset, limit)
    } finally {
      for (const { fd } of files) closeSync(fd)
    }
  }

  return {
    find: (key, matches, offset, limit) => inTurn(() => find(key, matches, offset, limit)),
  }
}

/** Reads the whole lines that a scan has not seen yet. */
async function readOn({ fd, size }: OpenFile, scan: Scan, matches: (line: string) => boolean): Promise<void> {
  let rest = Buffer.alloc(0)
  for (let at = scan.bytes; at < size; ) {
    const chunk = Buffer.alloc(Math.min(chunkBytes, size - at))
    const { bytesRead } = await readBytes(fd, chunk, 0, chunk.length, at)
    if (bytesRead === 0) break
    at += bytesRead
    const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)])
    let start = 0
    for (let end = bytes.indexOf(lineEnd); end !== -1; end = bytes.indexOf(lineEnd, start)) {
      scan.lines += 1
      if (matches(bytes.toString('utf8', start, end))) {
        scan.matches.push({ start: scan.bytes, end: scan.bytes + end - start, number: scan.lines })
      }
      scan.bytes += end + 1 - start
      start = end + 1
    }
    rest = bytes.subarray(start)
  }
  if (scan.matches.length > maxMatches) scan.matches.splice(0, scan.matches.length - maxMatches)
}

async function pageOf(files: readonly OpenFile[], scans: ReadonlyMap<string, Scan>, offset: number, limit: number) {
  const lines: { text: string; number: number }[] = []
  let total = 0
  let older = [...scans.values()].reduce((sum, scan) => sum + scan.lines, 0)
  for (const { fd, key } of files) {
    const scan = scans.get(key) as Scan
    older -= scan.lines
    const skipped = Math.max(0, offset - total)
    total += scan.matches.length
    for (const { start, end, number } of scan.matches.toReversed().slice(skipped, skipped + limit - lines.length)) {
      const bytes = Buffer.alloc(end - start)
      await readBytes(fd, bytes, 0, bytes.length, start)
      lines.push({ text: bytes.toString('utf8'), number: older + number })
    }
  }
  return { lines, total }
}
