import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { createTailReader } from './tailReader.ts'

/** A recorded action. Never content: no typed text, no secret, no bytes of a file. */
export interface AuditEvent {
  /** `<area>.<verb>`, as `terminal.open`, `file.upload`, `session.sign-in`. */
  action: string
  /** Who did it; absent for a failed sign-in. */
  person?: { id: number; username?: string }
  /** The client's address; '' when addresses are not known. */
  address?: string
  /** What it was done to: `server 1`, `user 7`, a path. */
  target?: string
  /** Numbers and outcomes by name: `{ bytes: 1048576, outcome: 'cancelled' }`. */
  detail?: Readonly<Record<string, string | number | boolean>>
}

/** An event as it is stored: one line of JSON each, `at` in RFC 3339. */
export type AuditLine = { at: string; user_id?: number; username?: string } & Omit<AuditEvent, 'person'>

/** A line as it is read; `id` is its number in the log. The text of a damaged line is in `unreadable`. */
export type AuditRow = Partial<AuditLine> & { id: number; unreadable?: string }

export interface AuditLog {
  /** Appends one line, synchronously, so that it survives a crash right after. Never throws. */
  write(event: AuditEvent): void
  /** One page, the latest line first, and how many lines there are. */
  read(offset: number, limit: number): Promise<{ rows: AuditRow[]; total: number }>
  close(): void
}

interface Options {
  /** The file, made with 0600. Without one, lines go to `lines`. */
  path?: string
  lines?: AuditLine[]
  /** Called once, when the file cannot be written. */
  onFailure?: (error: unknown) => void
  /** The clock, in milliseconds since 1970. */
  now?: () => number
}

/** Opens the audit log for appending. */
export function openAuditLog({ path, lines = [], onFailure = () => {}, now = Date.now }: Options = {}): AuditLog {
  const file = path === undefined ? undefined : openLog(path)
  const reader = path === undefined ? undefined : createTailReader(path)
  let hasFailed = false
  return {
    async read(offset, limit) {
      const { lines: texts, total } = reader ? await reader.read(offset, limit) : tailOf(lines, offset, limit)
      return { rows: texts.map((text, at) => ({ id: total - offset - at, ...parse(text) })), total }
    },
    write({ person, ...event }) {
      const line: AuditLine = {
        at: new Date(now()).toISOString(),
        ...(person && { user_id: person.id, username: person.username }),
        ...event,
      }
      if (file === undefined) {
        lines.push(line)
        return
      }
      try {
        appendFileSync(file, `${JSON.stringify(line)}\n`)
      } catch (error) {
        // A full disk must neither stop the recorded action nor fill the operator's log.
        if (!hasFailed) onFailure(error)
        hasFailed = true
      }
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

/** Ends a line that a crash has cut off, so that the next one starts on its own. */
function openLog(path: string): number {
  const file = openSync(path, 'a+', 0o600)
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  if (size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n') appendFileSync(file, '\n')
  return file
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
