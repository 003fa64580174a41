import type { Store } from '../db/store.ts'
import type { Form, ResponseRow, Row } from '../entities/row.ts'
import type { Person } from '../person.ts'
import type { Records } from './records.ts'

/** Who asks, and where the records are. */
export interface Context {
  store: Store
  /** Nobody is signed in when it is undefined. */
  person: Person | undefined
}

/**
 * What the records of one entity mean beyond being kept. Each member is optional; what is said is said in `crud.ts`.
 */
export interface Behaviour {
  /** Keeps the records itself; nothing else is asked then. Default: a table of its own. */
  records?: Records
  /** The rows of a list that is paged here (`api.paging`); nothing else is asked then. */
  window?: WindowRows
  /**
   * Waits for what must have happened before a complete form is saved, such as a test message. Comes before `check`,
   * when it is known that this person may write. @throws ApiError
   */
  prepare?(form: Form, context: Context): Promise<void>
  /**
   * Judges a complete form before it is saved, and gives back what to save. An entity without `check` is judged by
   * its schema instead. @param row the record as it is kept, when it is changed @throws ApiError
   */
  check?(form: Form, context: Context, row?: Row): Form
  /** What the reply to an update holds. Default: nothing. */
  updated?(id: number): unknown
  /** The refusal of an update of an id that does not exist. */
  missing?(id: number): string
  /** The refusal of an update of somebody else's record. */
  foreign?: string
  /** Whether a list shows the record. Default: its owner and admins see it. */
  isVisible?(row: Row, context: Context): boolean
  /** The order of lists. Default: by id. */
  order?(a: Row, b: Row): number
  /** Adds to a record what is not kept with it. */
  present?(wire: ResponseRow, row: Row, context: Context): ResponseRow
  /** Follows a deletion, in the same transaction. */
  removed?(ids: readonly number[], context: Context): void
}

/** Rows that are paged by offset and limit. */
export interface WindowRows {
  /** All of them, in the order of the list. @throws ApiError when this person may not see them */
  rows?(context: Context): readonly ResponseRow[]
  /** In place of `rows` where they are too many to have at hand: some of them, and how many there are. */
  page?(offset: number, limit: number, context: Context): Promise<{ rows: readonly ResponseRow[]; total: number }>
  /** Takes away every row whose `batchKey` has one of these values; unknown values are passed over. */
  remove?(keys: readonly string[], context: Context): void
}

/** The behaviours by entity name. */
export type Behaviours = Readonly<Record<string, Behaviour | undefined>>
