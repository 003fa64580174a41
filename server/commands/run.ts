import { StoreError } from '../db/storeError.ts'
import { type Log, consoleLog as log } from '../log.ts'
import { StartError } from '../startError.ts'
import { backup } from './backup.ts'
import { resetPassword } from './resetPassword.ts'
import { restore } from './restore.ts'

type Command = (argument: string, log: Log) => void | Promise<void>

const commands: Readonly<Record<string, Command>> = {
  'reset-password': (username, log) => resetPassword(username || undefined, log),
  backup,
  restore,
}

/** Runs a command by its name. A failure is printed as a sentence, and the process ends with exit code 1. */
export async function runCommand(name: string, argument: string): Promise<void> {
  // Files that a command writes are not readable by other users.
  process.umask(0o077)
  try {
    await commands[name]?.(argument, log)
  } catch (error) {
    if (error instanceof StartError || error instanceof StoreError) log.error(error.message)
    else log.error(`${name} failed:`, error)
    process.exitCode = 1
  }
}
