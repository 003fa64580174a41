import { type BigIntStats, closeSync, fstatSync, openSync, read } from 'node:fs'
import { promisify } from 'node:util'
import { errorCode } from '../../src/domain/errors.ts'

const readBytes = promisify(read)

/** Reads lines from the end of files that only grow and get new names, and counts all of them. */
export interface TailReader {
  /** `limit` lines before the last `offset` ones, the latest first, and the number of all lines. */
  read(offset: number, limit: number): Promise<{ lines: string[]; total: number }>
}

export interface OpenFile {
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
export function openIfThere(path: string): OpenFile[] {
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
