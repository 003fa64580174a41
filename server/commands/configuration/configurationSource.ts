import type { RecordChange } from '../../../src/domain/configuration/plan.ts'
import type { RecordsByEntity } from '../../../src/domain/configuration/storedRecords.ts'

/** A server whose configuration is read and changed: one in a data folder, or one that runs. */
export interface ConfigurationSource {
  /** What the person may see. */
  read(): Promise<RecordsByEntity>
  /**
   * Carries out changes. @param stored the records for which they were planned
   * @throws ApplyError with what was done before
   */
  apply(changes: readonly RecordChange[], stored: RecordsByEntity): Promise<void>
  close(): Promise<void>
}

/** The first change that failed. */
export class ApplyError extends Error {
  /** What was changed before. */
  readonly done: readonly RecordChange[]

  constructor(message: string, done: readonly RecordChange[] = []) {
    super(message)
    this.done = done
  }
}
