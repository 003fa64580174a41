import type { TableDefinition } from './table.ts'

/** What takes the transactions of a store to where they are durable. Without one, a file is. */
export interface Replication {
  /** Bytes that one transaction may change. */
  readonly mostChanges: number
  /** Whether nothing can be made durable. */
  isAway(): boolean
  /** @throws an error that `writeObstacle` knows, while nothing can be made durable */
  assertWritable(): void
  /** Waits, while others are served, until something can be made durable. @returns whether it can */
  untilWritable(ms: number): Promise<boolean>
  /** A table or columns of it were made, by statements of SQLite. They travel with the next transaction. */
  changedSchema(change: SchemaChange): void
  /**
   * Looks at what a transaction has changed, before it ends.
   * @param changes a changeset of SQLite
   * @throws TypeError for a value that cannot be kept, and an error for who has asked when it is more than can be kept at once
   * @returns what is to be called once it has been committed; `undefined` when there is nothing to keep
   */
  prepare(changes: Uint8Array): (() => void) | undefined
  /** See `Store.whenDurable`. */
  whenDurable(act: () => void): void
  /** See `Store.whenShown`. */
  whenShown(show: () => void): void
  /** See `Store.durable`. */
  durable(ms: number): Promise<boolean>
  isDurable(): boolean
}

export interface SchemaChange {
  definition: TableDefinition
  /** The columns that are new, beside `id` where the table is. */
  added: TableDefinition['columns']
  isNew: boolean
  /** In SQLite. */
  statements: readonly string[]
}
