import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createBackup } from '../db/createBackup.ts'
import type { Log } from '../log.ts'
import { providersName, secondFactorKeyName } from '../start/dataFolder.ts'
import { existingFolder } from '../start/existingFolder.ts'

/** `backup FILE`: copies the database of DATA_DIR, whether a server runs or not. */
export function backup(file: string, log: Log): void {
  const { path, database } = existingFolder()
  const target = resolve(file)
  createBackup(database, target)
  log.info(`Copied the database to ${target} (${statSync(target).size} bytes). It holds secrets: keep it to yourself.`)
  const keyFile = join(path, secondFactorKeyName)
  if (existsSync(keyFile)) {
    log.info(
      `${keyFile} is not in it, so that the copy alone does not give away the secrets of authenticator apps: keep a copy of it elsewhere, or those apps have to be set up again after a restore.`,
    )
  }
  const providers = join(path, providersName)
  if (existsSync(providers)) log.info(`${providers} is a file of your own and not in it: copy it too.`)
}
