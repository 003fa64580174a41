import { appendFileSync, closeSync, openSync } from 'node:fs'

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

export interface Audit {
  /** Appends one line, at once: what was done stays told when the server dies a moment later. Never throws. */
  write(event: AuditEvent): void
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
  const file = path === undefined ? undefined : openSync(path, 'a', 0o600)
  let hasFailed = false
  return {
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
