import type { ForeignDatabase } from '../../db/foreignDatabase.ts'
import type { ImportData, PastResult } from './importData.ts'

/** Reads the database of one product. */
export interface ImportReader {
  /** Whether it is one of this product, of whatever version. */
  recognizes(database: ForeignDatabase): boolean
  /** @param settings the text of the settings file; '' without one @throws ImportRefusal */
  read(database: ForeignDatabase, settings: string): ImportData
  /** Results of checks of the services of `read`, and what its servers measured. */
  history(database: ForeignDatabase): Iterable<PastResult>
}
