import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
} from 'node:fs'
import { errorCode } from '../../src/domain/errors.ts'

/** The file of the audit log: lines are appended, and a full file gets the next name. */
export interface AuditFile {
  /** Appends whole lines or, when it throws, nothing. @throws Error of the file system */
  append(text: string): void
  close(): void
}

/** When a file is full, in bytes, and how many full ones stay. */
export interface AuditLimits {
  bytes: number
  files: number
}

/** The names of the log, the latest first: `audit.log`, `audit.log.1`, `audit.log.2`. Not all of them need to exist. */
export const auditFileNames = (path: string, { files }: AuditLimits): string[] => [
  path,
  ...Array.from({ length: files }, (_, index) => `${path}.${index + 1}`),
]

/**
 * @param path the file, made with 0600
 * @param onFailure called once, when a full file cannot get another name: then lines are appended to it all the same
 */
export function openAuditFile(path: string, limits: AuditLimits, onFailure: (error: unknown) => void): AuditFile {
  let file = openFile(path)
  let hasFailed = false

  /** From the oldest to the latest, so that a crash in between leaves a gap in the names and loses nothing. */
  function rotate(): void {
    closeSync(file)
    try {
      const names = auditFileNames(path, limits)
      for (let index = names.length - 1; index > 0; index--) {
        renameIfThere(names[index - 1] as string, names[index] as string)
      }
    } catch (error) {
      if (!hasFailed) onFailure(error)
      hasFailed = true
    } finally {
      file = openFile(path)
    }
  }

  return {
    append(text) {
      if (fstatSync(file).size >= limits.bytes) rotate()
      const { size } = fstatSync(file)
      try {
        appendFileSync(file, text)
      } catch (error) {
        // A full disk takes the beginning of a line.
        if (fstatSync(file).size > size) ftruncateSync(file, size)
        throw error
      }
    },
    close: () => closeSync(file),
  }
}

/**
 * The lines of a whole log, the oldest first; empty ones are left out, as where it is read page by page.
 * @param path of the latest file
 */
export function* linesOfFiles(path: string, limits: AuditLimits): Iterable<string> {
  for (const name of auditFileNames(path, limits).reverse()) {
    if (existsSync(name)) yield* linesOf(name)
  }
}

const chunkBytes = 64 * 1024

function* linesOf(path: string): Iterable<string> {
  const file = openSync(path, 'r')
  try {
    let rest = Buffer.alloc(0)
    for (const chunk = Buffer.alloc(chunkBytes); ; ) {
      const count = readSync(file, chunk, 0, chunk.length, null)
      const bytes = Buffer.concat([rest, chunk.subarray(0, count)])
      let start = 0
      for (let end = bytes.indexOf(lineEnd); end !== -1; end = bytes.indexOf(lineEnd, start)) {
        if (end > start) yield bytes.toString('utf8', start, end)
        start = end + 1
      }
      rest = bytes.subarray(start)
      if (count > 0) continue
      if (rest.length > 0) yield rest.toString('utf8')
      return
    }
  } finally {
    closeSync(file)
  }
}

const lineEnd = 0x0a

/** Ends a line that a crash has cut off, so that the next one starts on its own. */
function openFile(path: string): number {
  const file = openSync(path, 'a+', 0o600)
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  if (size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n') appendFileSync(file, '\n')
  return file
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
