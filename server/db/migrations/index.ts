import { values } from './001-values.ts'
import type { Migration } from './migration.ts'

/** All steps in order; a database's version is the number of steps it has taken. Never change one that was released. */
export const migrations: readonly Migration[] = [values]
