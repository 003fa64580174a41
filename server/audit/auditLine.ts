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
