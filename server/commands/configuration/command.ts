import type { Log } from '../../log.ts'

/** The options of a command by their names, without the dashes; `true` where one has no value. */
export type CommandOptions = Readonly<Record<string, string | true>>

/** Where a command says something, and the environment that its settings come from. */
export interface CommandContext {
  log: Log
  env: NodeJS.ProcessEnv
}
