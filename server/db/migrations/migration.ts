/**
 * One step from a version to the next. Tables and new columns are created by `openTable`, so steps are for
 * renaming, dropping and changing what is there. A new database takes all steps before it has any entity's table.
 */
export interface Migration {
  /** What the step does, for the reader. */
  title: string
  up(tools: MigrationTools): void
}

export interface MigrationTools {
  run(sql: string): void
  hasTable(name: string): boolean
}
