import { type FileHandle, open } from 'node:fs/promises'

/** Reads lines from the end of a file that only grows, and counts all of them. */
export interface TailReader {
  /** `limit` lines before the last `offset` ones, the latest first, and the number of all lines. */
  read(offset: number, limit: number): Promise<{ lines: string[]; total: number }>
}

const chunkBytes = 64 * 1024
const lineEnd = 0x0a

/**
 * Never holds the whole file: a page costs as much as the lines after it, and lines are counted once. A file that has
 * become shorter is counted again.
 */
export function createTailReader(path: string): TailReader {
  let counted = { bytes: 0, lines: 0 }

  async function count(file: FileHandle, size: number): Promise<number> {
    if (size < counted.bytes) counted = { bytes: 0, lines: 0 }
    let { bytes, lines } = counted
    for (const chunk = Buffer.alloc(chunkBytes); bytes < size; ) {
      const { bytesRead } = await file.read(chunk, 0, Math.min(chunkBytes, size - bytes), bytes)
      if (bytesRead === 0) break
      for (let at = chunk.indexOf(lineEnd); at !== -1 && at < bytesRead; at = chunk.indexOf(lineEnd, at + 1)) lines++
      bytes += bytesRead
    }
    counted = { bytes, lines }
    return lines
  }

  return {
    async read(offset, limit) {
      const file = await open(path, 'r')
      try {
        const { size } = await file.stat()
        const total = await count(file, size)
        return { lines: await tailOf(file, size, offset, limit), total }
      } finally {
        await file.close()
      }
    },
  }
}

/** The lines before `size`, from the last to the first: `offset` of them are skipped, `limit` are returned. */
async function tailOf(file: FileHandle, size: number, offset: number, limit: number): Promise<string[]> {
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
    await file.read(chunk, 0, chunk.length, start)
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
