import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createBackup, historyBeside } from '../db/createBackup.ts'
import { readSettings } from '../settings.ts'
import { existingFolder, historyName, providersName, secondFactorKeyName } from '../start/dataFolder.ts'
import type { CommandContext } from './configuration/command.ts'

interface BackupOptions {
  /** Whether the history is copied too, to a file beside. */
  withHistory: boolean
}

/** `backup FILE`: copies the database of DATA_DIR or in PostgreSQL, whether a server runs or not. */
export async function backup(file: string, context: CommandContext, { withHistory }: BackupOptions): Promise<void> {
  const { log, env } = context
  const target = resolve(file)
  const { cluster } = readSettings(env)
  if (cluster) {
    const { moveToFile } = await import('../db/postgres/move.ts')
    const { rows } = await moveToFile(cluster, target, () => ({}))
    log.info(`Copied ${rows} rows from PostgreSQL to ${target}. It holds secrets: keep it to yourself.`)
    if (withHistory) log.warn('The charts are not in it: those of a cluster are copied by the programs of PostgreSQL.')
    return
  }
  const { path, database } = existingFolder(env)
  const history = join(path, historyName)
  const copiesHistory = withHistory && existsSync(history)
  // First, as in a backup by schedule: once there is a copy of the database, all of it is there.
  if (copiesHistory) createBackup(history, historyBeside(target))
  createBackup(database, target)
  log.info(`Copied the database to ${target} (${statSync(target).size} bytes). It holds secrets: keep it to yourself.`)
  if (copiesHistory) log.info(`Copied the history to ${historyBeside(target)}; a restore finds it there.`)
  const keyFile = join(path, secondFactorKeyName)
  if (existsSync(keyFile)) {
    log.info(
      `${keyFile} is not in it, so that the copy alone does not give away the secrets of authenticator apps: keep a copy of it elsewhere, or those apps have to be set up again after a restore.`,
    )
  }
  const providers = join(path, providersName)
  if (existsSync(providers)) log.info(`${providers} is a file of your own and not in it: copy it too.`)
}
