import { commandWords } from '../../scripts/bootstrap/usage.mjs'
import { StoreError } from '../db/storeError.ts'
import { type Log, consoleLog as log } from '../log.ts'
import { StartError } from '../startError.ts'
import type { CommandOptions } from './configuration/configurationCommands.ts'

/** @param argument the word behind the name, '' for none */
type Command = (argument: string, log: Log, options: CommandOptions) => Promise<void>

/** Each imports what it needs when it is run: some need the whole server, a backup needs the database only. */
const commands: Readonly<Record<string, Command>> = {
  async 'reset-password'(username, log, options) {
    const { resetPassword } = await import('./resetPassword.ts')
    await resetPassword(username || undefined, log, { removesSecondFactor: options['remove-second-factor'] === true })
  },
  async backup(file, log, options) {
    const { backup } = await import('./backup.ts')
    await backup(file, log, { withHistory: options.history === true })
  },
  async restore(file, log) {
    const { restore } = await import('./restore.ts')
    await restore(file, log)
  },
  async doctor(argument, log, options) {
    const { doctor } = await import('./doctor/doctor.ts')
    await doctor(argument, log, options)
  },
  async service(action, log, options) {
    const { service } = await import('./service/service.ts')
    await service(action, log, options)
  },
  async export(file, log, options) {
    const { exportConfiguration } = await import('./configuration/configurationCommands.ts')
    await exportConfiguration(file, log, options)
  },
  async plan(file, log, options) {
    const { planCommand } = await import('./configuration/configurationCommands.ts')
    await planCommand(file, log, options)
  },
  async apply(file, log, options) {
    const { applyCommand } = await import('./configuration/configurationCommands.ts')
    await applyCommand(file, log, options)
  },
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
