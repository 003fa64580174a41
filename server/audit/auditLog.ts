import { type AuditLimits, auditFileNames, openAuditFile } from './auditFile.ts'
import { createLineSearch, createTailReader, type LineSearch, type TailReader } from './lineFiles.ts'

/** A line as it is read; `id` is its number in the log. The text of a damaged line is in `unreadable`. */
export type AuditRow = Partial<AuditLine> & { id: number; unreadable?: string }

export interface AuditLog {
  /**
   * Appends one line, synchronously, so that it survives a crash right after. Never throws: a line that cannot be
   * written, as on a full disk, waits in memory for the next one that can.
   */
  write(event: AuditEvent): void
  /** One page, the latest line first, and how many lines there are. @param filter only lines that match */
  read(offset: number, limit: number, filter?: AuditFilter): Promise<{ rows: AuditRow[]; total: number }>
  close(): void
}

/** Which lines are asked for; the same `key` stands for the same ones. */
export interface AuditFilter {
  key: string
  matches(row: Omit<AuditRow, 'id'>): boolean
}

/** Where lines of text are kept. */
export interface AuditStorage extends TailReader, LineSearch {
  /** Appends whole lines or, when it throws, nothing. */
  append(text: string): void
  close(): void
}

interface Options {
  /** The file, made with 0600. Without one, and without a storage, lines go to `lines`. */
  path?: string
  /** In place of a file. */
  storage?: AuditStorage
  lines?: AuditLine[]
  /** Called for the first of several failed writes in a row. */
  onFailure?: (error: unknown) => void
  /** Default: `auditLimits`. */
  limits?: AuditLimits
  /** The clock, in milliseconds since 1970. */
  now?: () => number
}

/** 176 MiB in all, about a million lines (docs/decisions/audit-log.md). */
export const auditLimits: AuditLimits = { bytes: 16 * 1024 * 1024, files: 10 }

/** Bytes of all lines, where they are in no files. */
export const maxAuditBytes = auditLimits.bytes * (auditLimits.files + 1)

/** Opens the audit log for appending. */
export function openAuditLog(options: Options = {}): AuditLog {
  const { path, lines = [], onFailure = () => {}, limits = auditLimits, now = Date.now } = options
  const storage = options.storage ?? (path === undefined ? undefined : openStorage(path, limits, onFailure))
  const waiting = storage && createWaitingLines({ append: storage.append, onFailure, now })

  return {
    async read(offset, limit, filter) {
      waiting?.flush()
      if (filter) {
        const isFound = (text: string) => filter.matches(parse(text))
        const found = storage
          ? await storage.find(filter.key, isFound, offset, limit)
          : foundIn(lines, isFound, offset, limit)
        return { rows: found.lines.map(({ text, number }) => ({ id: number, ...parse(text) })), total: found.total }
      }
      const { lines: texts, total } = storage ? await storage.read(offset, limit) : tailOf(lines, offset, limit)
      return { rows: texts.map((text, at) => ({ id: total - offset - at, ...parse(text) })), total }
    },
    write({ person, ...event }) {
      const token = person?.token && `${person.token.id} ${person.token.name}`
      const line: AuditLine = {
        at: new Date(now()).toISOString(),
        ...(person && { user_id: person.id, username: person.username }),
        ...event,
        ...(token && { detail: { ...event.detail, token } }),
      }
      if (waiting) waiting.add(line)
      else lines.push(line)
    },
    close() {
      waiting?.flush()
      storage?.close()
    },
  }
}

function openStorage(path: string, limits: AuditLimits, onFailure: (error: unknown) => void): AuditStorage {
  const { append, close } = openAuditFile(path, limits, onFailure)
  const names = auditFileNames(path, limits)
  return { append, close, read: createTailReader(names).read, find: createLineSearch(names).find }
}

function foundIn(lines: readonly AuditLine[], isFound: (text: string) => boolean, offset: number, limit: number) {
  const found = lines.map((line, index) => ({ text: JSON.stringify(line), number: index + 1 })).reverse()
  const matching = found.filter(({ text }) => isFound(text))
  return { lines: matching.slice(offset, offset + limit), total: matching.length }
}

function tailOf(lines: readonly AuditLine[], offset: number, limit: number) {
  const texts = lines.toReversed().slice(offset, offset + limit)
  return { lines: texts.map((line) => JSON.stringify(line)), total: lines.length }
}

function parse(text: string): Partial<AuditLine> & { unreadable?: string } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && 'action' in value) return value as AuditLine
  } catch {
    // Half a line, after a crash: it is shown as it is.
  }
  return { unreadable: text.slice(0, 200) }
}

/** A recorded action. Never content: no typed text, no secret, no bytes of a file. */
export interface AuditEvent {
  /** `<area>.<verb>`, as `terminal.open`, `file.upload`, `session.sign-in`. */
  action: string
  /** Who did it; absent for a failed sign-in. With an API token, `detail` has its id and name. */
  person?: { id: number; username?: string; token?: { id: number; name: string } }
  /** The client's address; '' when addresses are not known. */
  address?: string
  /** What it was done to: `server 1`, `user 7`, a path. */
  target?: string
  /** Numbers and outcomes by name: `{ bytes: 1048576, outcome: 'cancelled' }`. */
  detail?: Readonly<Record<string, string | number | boolean>>
}

/** An event as it is stored: one line of JSON each, `at` in RFC 3339. */
export type AuditLine = { at: string; user_id?: number; username?: string } & Omit<AuditEvent, 'person'>

/** Lines that wait for the file. Those that cannot be written, as on a full disk, are written with a later one. */
export interface WaitingLines {
  add(line: AuditLine): void
  /** Writes what waits, if anything. Never throws. */
  flush(): void
}

/** The lines that wait for space; the oldest are dropped, and a line says how many. */
export const maxWaiting = 1_000

interface WaitingOptions {
  /** Takes all of a text or, when it throws, nothing. */
  append: (text: string) => void
  /** Called for the first of several failed writes in a row. */
  onFailure: (error: unknown) => void
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

export function createWaitingLines({ append, onFailure, now }: WaitingOptions): WaitingLines {
  /** As they are written: each failure would make a thousand of them anew. */
  const waiting: string[] = []
  let dropped = 0
  let hasFailed = false

  function flush(): void {
    if (waiting.length === 0) return
    const at = new Date(now()).toISOString()
    const gap = dropped > 0 ? textOf({ at, action: 'audit.lost', detail: { lines: dropped } }) : ''
    try {
      append(gap + waiting.join(''))
      waiting.length = 0
      dropped = 0
      hasFailed = false
    } catch (error) {
      // A full disk must neither stop the recorded action nor fill the operator's log.
      if (!hasFailed) onFailure(error)
      hasFailed = true
    }
  }

  return {
    flush,
    add(line) {
      waiting.push(textOf(line))
      if (waiting.length > maxWaiting) {
        waiting.shift()
        dropped++
      }
      flush()
    },
  }
}

const textOf = (line: AuditLine) => `${JSON.stringify(line)}\n`
