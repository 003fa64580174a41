import type { AgentSettings } from './agentSettings.ts'
import type { AgentTraits } from './agentVersions.ts'

/** Sends five echoes, a second apart. @returns the mean in ms, or nothing when none came back */
export type Ping = (address: string) => Promise<number | undefined>

/** What tasks and sessions need of the agent that serves them. */
export interface ServingAgent {
  readonly settings: AgentSettings
  readonly traits: AgentTraits
  /** Commands and shells start there. */
  readonly folder: string
  /** Where file sessions begin when a folder cannot be listed. */
  readonly home: string
  readonly ping: Ping
  /** Bytes that shells have printed and that were handed to their streams. */
  printedBytes: number
  /** Whether a new configuration waits to be used. */
  readonly isReloadPending: boolean
  /** Uses new settings after 10 s, on a new connection. A later call replaces an earlier one. */
  reload(settings: AgentSettings): void
  /** Milliseconds of a pause that the agent makes by itself. */
  scaled(ms: number): number
}
