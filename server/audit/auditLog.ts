import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { createTailReader } from './tailReader.ts'

/** What somebody did that others may have to account for. Never content: no typed text, no secret, no file's bytes. */
export interface AuditEvent {
  /** `<area>.<verb>`, as `terminal.open`, `file.upload`, `session.sign-in`. */
  action: string
  /** Who did it; nobody for a failed sign-in. */
  person?: { id: number; username?: string }
  /** Where from, '' when the server does not know addresses. */
  address?: string
  /** What it was done to: `server 1`, `user 7`, a path. */
  target?: string
  /** Figures and outcomes by name: `{ bytes: 1048576, outcome: 'cancelled' }`. */
  detail?: Readonly<Record<string, string | number | boolean>>
}

/** An event as it is kept: one line of JSON each, `at` in RFC 3339. */
export type AuditLine = { at: string; user_id?: number; username?: string } & Omit<AuditEvent, 'person'>

/** A line as it is read; `id` is its number in the log. One that cannot be read is kept under `unreadable`. */
export type AuditRow = Partial<AuditLine> & { id: number; unreadable?: string }

export interface Audit {
  /** Appends one line, at once: what was done stays told when the server dies a moment later. Never throws. */
  write(event: AuditEvent): void
  /** One page, the latest line first, and how many lines there are. */
  read(offset: number, limit: number): Promise<{ rows: AuditRow[]; total: number }>
  close(): void
}

interface Options {
  /** The file, made with 0600. Without one, lines go to `lines`. */
  path?: string
  lines?: AuditLine[]
  /** Told once when the file cannot be written. */
  onFailure?: (error: unknown) => void
  /** The clock, in milliseconds since 1970. */
  now?: () => number
}

/** Opens the audit log for appending. */
export function openAudit({ path, lines = [], onFailure = () => {}, now = Date.now }: Options = {}): Audit {
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
        // A full disk must not end the work that is to be written down, nor fill the log with its own failure.
        if (!hasFailed) onFailure(error)
        hasFailed = true
      }
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

/** A server that died in the middle of a line must not spoil the next one. */
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
    // Half a line, after a crash: that something was there must stay visible.
  }
  return { unreadable: text.slice(0, 200) }
}
