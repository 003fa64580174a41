import { commandWords } from '../../scripts/bootstrap/usage.mjs'
import { StoreError } from '../db/storeError.ts'
import { type Log, consoleLog as log } from '../log.ts'
import { StartError } from '../startError.ts'
import type { CommandOptions } from './configuration/configurationCommands.ts'

/** @param argument the word behind the name, '' for none */
type Command = (argument: string, log: Log, options: CommandOptions) => Promise<void>

const configurationCommands = () => import('./configuration/configurationCommands.ts')

/** Each imports what it needs when it is run: some need the whole server, a backup needs the database only. */
const commands: Readonly<Record<string, Command>> = {
  'reset-password': async (username, log, options) =>
    (await import('./resetPassword.ts')).resetPassword(username || undefined, log, {
      removesSecondFactor: options['remove-second-factor'] === true,
    }),
  backup: async (file, log, options) =>
    (await import('./backup.ts')).backup(file, log, { withHistory: options.history === true }),
  restore: async (file, log) => (await import('./restore.ts')).restore(file, log),
  doctor: async (...given) => (await import('./doctor/doctor.ts')).doctor(...given),
  service: async (...given) => (await import('./service/service.ts')).service(...given),
  export: async (...given) => (await configurationCommands()).exportConfiguration(...given),
  plan: async (...given) => (await configurationCommands()).planCommand(...given),
  apply: async (...given) => (await configurationCommands()).applyCommand(...given),
}

/** Runs a command by its name. A failure is printed as a sentence, and the process ends with exit code 1. */
export async function runCommand(name: string, args: readonly string[]): Promise<void> {
  // Files that a command writes are not readable by other users.
  process.umask(0o077)
  try {
    const { argument, options } = commandWords(name, args)
    await commands[name]?.(argument, log, options)
  } catch (error) {
    if (error instanceof StartError || error instanceof StoreError) log.error(error.message)
    else log.error(`${name} failed:`, error)
    process.exitCode = 1
  }
}
