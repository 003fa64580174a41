import type { Problem, Warning } from './problem.ts'

/** A field that will have another value, both as the file has them. */
export interface FieldChange {
  field: string
  /** Left out for a new record. */
  before?: unknown
  /** Of a secret, `kept`, and its value is in `RecordChange.secrets`; or `''`, which clears it. */
  after: unknown
}

/** What becomes of one record. */
export interface RecordChange {
  verb: 'create' | 'update' | 'delete'
  /** The name of its entity. */
  entity: string
  /** Its name afterwards. */
  name: string
  /** Left out for a new record. */
  id?: number
  fields: readonly FieldChange[]
  /** Secrets that are sent, by field: the secret, or the whole value as JSON that has secrets in it. Shown nowhere. */
  secrets?: Readonly<Record<string, string>>
}

/** What applying a file would do, in the order in which it is done. */
export interface Plan {
  changes: readonly RecordChange[]
  /** How many records are as the file has them. */
  unchanged: number
  /** Records that the sections of the file do not list, and that stay. */
  unlisted: readonly { entity: string; name: string }[]
  /** While there are any, nothing can be applied, and `changes` is not to be trusted. */
  problems: readonly Problem[]
  warnings: readonly Warning[]
  /** The variables that the secrets to be sent need. */
  variables: readonly string[]
}
