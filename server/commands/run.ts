import { StoreError } from '../db/storeError.ts'
import { type Log, consoleLog as log } from '../log.ts'
import { StartError } from '../startError.ts'
import { backup } from './backup.ts'
import { resetPassword } from './resetPassword.ts'
import { restore } from './restore.ts'

/** @param argument the word behind the name, '' for none @param options the words that begin with a dash */
type Command = (argument: string, log: Log, options: readonly string[]) => void | Promise<void>

const commands: Readonly<Record<string, Command>> = {
  'reset-password': (username, log, options) =>
    resetPassword(username || undefined, log, { removesSecondFactor: options.includes('--remove-second-factor') }),
  backup,
  restore,
}

/** Runs a command by its name. A failure is printed as a sentence, and the process ends with exit code 1. */
export async function runCommand(name: string, args: readonly string[]): Promise<void> {
  // Files that a command writes are not readable by other users.
  process.umask(0o077)
  try {
    const options = args.filter((word) => word.startsWith('-'))
    await commands[name]?.(args.find((word) => !options.includes(word)) ?? '', log, options)
  } catch (error) {
    if (error instanceof StartError || error instanceof StoreError) log.error(error.message)
    else log.error(`${name} failed:`, error)
    process.exitCode = 1
  }
}
