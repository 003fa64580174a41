import { errorCode, errorMessage } from '../../../src/domain/errors.ts'
import type { Settings } from '../../settings.ts'
import type { Site } from '../../site/site.ts'

/** What a check has found. `warning` works, and needs somebody's attention. */
export type CheckStatus = 'ok' | 'warning' | 'failed'

/** One result. `wheelhouse doctor --json` prints a list of them. */
export interface CheckResult {
  /** Name of the check; one may have several results. */
  check: string
  status: CheckStatus
  text: string
  /** What to do about it. */
  advice?: string
}

export interface DoctorContext {
  settings: Settings
  /** Where this machine reaches the server; `undefined` while PORT is 0. */
  address: URL | undefined
  /** The settings of the site; `undefined` for a gateway, or without a database that can be read. */
  site: Site | undefined
  /** Version of this command. */
  version: string
  /** Milliseconds since 1970. */
  now: number
}

/** Looks at one thing. Nothing for what this installation does not have. */
export type Check = (context: DoctorContext) => CheckResult[] | Promise<CheckResult[]>

/** Makes the results of a check. */
export const resultsOf = (check: string) => ({
  ok: (text: string): CheckResult => ({ check, status: 'ok', text }),
  warning: (text: string, advice: string): CheckResult => ({ check, status: 'warning', text, advice }),
  failed: (text: string, advice: string): CheckResult => ({ check, status: 'failed', text, advice }),
})

export const messageOf = (error: unknown): string => errorCode(error) ?? errorMessage(error)
