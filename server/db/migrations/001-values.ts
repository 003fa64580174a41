import type { Migration } from './migration.ts'

export const values: Migration = {
  title: 'Single values kept by name: settings, keys',
  up: ({ run }) => run('CREATE TABLE "value" (name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID'),
}
