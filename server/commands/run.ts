import { commandWords } from '../../scripts/bootstrap/usage.mjs'
import { StoreError } from '../db/storeError.ts'
import { type Log, consoleLog as log } from '../log.ts'
import { StartError } from '../startError.ts'
import { backup } from './backup.ts'
import {
  applyCommand,
  type CommandOptions,
  exportConfiguration,
  planCommand,
} from './configuration/configurationCommands.ts'
import { doctor } from './doctor/doctor.ts'
import { resetPassword } from './resetPassword.ts'
import { restore } from './restore.ts'
import { service } from './service/service.ts'

/** @param argument the word behind the name, '' for none */
type Command = (argument: string, log: Log, options: CommandOptions) => void | Promise<void>

const commands: Readonly<Record<string, Command>> = {
  'reset-password': (username, log, options) =>
    resetPassword(username || undefined, log, { removesSecondFactor: options['remove-second-factor'] === true }),
  backup: (file, log, options) => backup(file, log, { withHistory: options.history === true }),
  restore,
  doctor,
  service,
  export: exportConfiguration,
  plan: planCommand,
  apply: applyCommand,
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
