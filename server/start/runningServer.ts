import type { Log } from '../log.ts'
import type { Settings } from '../settings.ts'

export interface StartOptions {
  settings: Settings
  log: Log
  version: string
  /** Folder of the built console. */
  dist: string
  /** Whether a person sees what is printed. */
  isTerminal: boolean
}

/** What a start gives back, with a database or as a gateway. */
export interface RunningServer {
  /** Where this machine's browser finds it. */
  address: string
  /** What the operator must know to sign in for the first time. */
  firstUser: string | undefined
  /** Where an error that ends the process is written down; `undefined` where nothing is kept. */
  traceFile: string | undefined
  /** Milliseconds that its end takes at most. Default: four seconds. */
  shutdownMs?: number
  stop(): Promise<void>
}
