import { commandWords, misspelledSettings } from '../../scripts/bootstrap/usage.mjs'
import { StoreError } from '../db/storeError.ts'
import { StartError } from '../log.ts'
import type { CommandContext, CommandOptions } from './configuration/command.ts'

/**
 * @param argument the word behind the name, '' for none
 * @param second the one behind it
 * @returns the exit code. Default: 0
 */
type Command = (
  argument: string,
  context: CommandContext,
  options: CommandOptions,
  second: string,
) => Promise<number> | Promise<void>

const configurationCommands = () => import('./configuration/configurationCommands.ts')

/** Each imports what it needs when it is run: some need the whole server, a backup needs the database only. */
const commands: Readonly<Record<string, Command>> = {
  'reset-password': async (username, context, options) =>
    (await import('./resetPassword.ts')).resetPassword(username || undefined, context, {
      removesSecondFactor: options['remove-second-factor'] === true,
    }),
  backup: async (file, context, options) =>
    (await import('./backup.ts')).backup(file, context, { withHistory: options.history === true }),
  restore: async (file, context) => (await import('./restore.ts')).restore(file, context),
  move: async (_argument, context, options) => (await import('./move.ts')).move(context, options),
  doctor: async (argument, context, options) => (await import('./doctor/doctor.ts')).doctor(argument, context, options),
  service: async (argument, context, options) =>
    (await import('./service/service.ts')).service(argument, context, options),
  export: async (file, context, options) => (await configurationCommands()).exportConfiguration(file, context, options),
  plan: async (file, context, options) => (await configurationCommands()).planCommand(file, context, options),
  apply: async (file, context, options) => (await configurationCommands()).applyCommand(file, context, options),
  import: async (kind, context, options, file) =>
    (await import('./importCommand.ts')).importCommand(kind, file, context, options),
}

/** Runs a command by its name. A failure is said in a sentence. @returns the exit code, 1 after a failure */
export async function runCommand(name: string, args: readonly string[], context: CommandContext): Promise<number> {
  const { log, env } = context
  // The doctor has them among its results.
  if (name !== 'doctor') for (const sentence of misspelledSettings(env)) log.warn(sentence)
  try {
    const { argument, second, options } = commandWords(name, args)
    const exitCode = await commands[name]?.(argument, context, options, second)
    return typeof exitCode === 'number' ? exitCode : 0
  } catch (error) {
    if (error instanceof StartError || error instanceof StoreError) log.error(error.message)
    else log.error(`${name} failed:`, error)
    return 1
  }
}
