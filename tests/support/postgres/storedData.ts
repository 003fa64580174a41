/** Test files that are about the file of SQLite, each with what it does with it: `TEST_STORE=postgres` leaves them out. */
export const sqliteOnly: Readonly<Record<string, string>> = {
  'tests/server/backups/backups.test.ts': 'backups are files of SQLite, which it opens',
  'tests/server/commands/doctor.test.ts': 'the file, its rights, its damage and what holds it are looked at',
  'tests/server/db/backup.test.ts': 'backups and restores replace the file in the data folder',
  'tests/server/db/durability.test.ts': 'a kill leaves the file in the middle of a write',
  'tests/server/start/commandLine.test.ts': 'it opens the file that commands have changed',
  'tests/server/start/fullDisk.test.ts': 'the file is on a disk that is full',
  'tests/server/start/startRefused.test.ts': 'files are damaged, missing and of other versions',
}

/** Test files whose subject is stored data: `npm test` runs them on PostgreSQL too, and on SQLite as all others. */
export const storedDataFiles: readonly string[] = [
  'tests/server/audit/*.test.ts',
  'tests/server/api/crud.test.ts',
  'tests/server/api/ownership.test.ts',
  'tests/server/auth/people.test.ts',
  'tests/server/auth/teams.test.ts',
  'tests/server/traffic/contracts.test.ts',
]
