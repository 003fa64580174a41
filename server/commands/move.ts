import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { linesOfFiles, openAuditFile } from '../audit/auditFile.ts'
import { auditLimits } from '../audit/auditLog.ts'
import { createSecretBox, sealedKeyName, sealingKey } from '../auth/secondFactor/secretBox.ts'
import { openStore } from '../db/store.ts'
import type { TableDefinition } from '../db/table.ts'
import { StartError } from '../log.ts'
import { readSettings } from '../settings.ts'
import { auditName, existingFolder, historyName, openDataFolder, secondFactorKeyName } from '../start/dataFolder.ts'
import type { CommandContext, CommandOptions } from './configuration/command.ts'

/** `move --to postgres://… | FILE`: copies the database from DATA_DIR to PostgreSQL, or from there to a file, and checks it. */
export async function move(context: CommandContext, { to }: CommandOptions): Promise<void> {
  if (typeof to !== 'string')
    throw new StartError('Say where to: --to postgres://USER:PASSWORD@HOST/DATABASE, or --to FILE.')
  if (/^postgres(ql)?:/.test(to)) await intoPostgres(to, context)
  else await intoFile(resolve(to), context)
}

async function intoPostgres(url: string, { log, env }: CommandContext): Promise<void> {
  const target = { ...env, DATABASE_URL: url }
  const { cluster: place } = readSettings(target)
  if (!place) return
  const folder = openDataFolder(existingFolder(target).path)
  try {
    const { moveToPostgres } = await import('../db/postgres/move.ts')
    const { key } = place
    const sealed = existsSync(folder.secondFactorKeyFile) && sealKey(folder.secondFactorKeyFile, key)
    const values = sealed ? { [sealedKeyName]: sealed } : {}
    const { tables, rows, auditLines, buckets } = await moveToPostgres(folder.database, await definitionsOfAll(), {
      place,
      key,
      values,
      auditLines: linesOfFiles(folder.auditFile, auditLimits),
      history: existsSync(folder.historyFile) ? folder.historyFile : undefined,
    })
    log.info(
      `Copied ${rows} rows of ${tables} tables, ${auditLines} lines of the audit log and ${buckets} buckets of charts to the schema ${place.schema}, read them back, and found them equal.`,
    )
    log.info(`What is in ${folder.path} is as it was. Start the servers with DATABASE_URL and CLUSTER_KEY.`)
  } finally {
    folder.release()
  }
}

async function intoFile(file: string, { log, env }: CommandContext): Promise<void> {
  const { cluster: place } = readSettings(env)
  if (!place) throw new StartError('Set DATABASE_URL and CLUSTER_KEY to the PostgreSQL to move away from.')
  const keyFile = join(dirname(file), secondFactorKeyName)
  const auditFile = join(dirname(file), auditName)
  const historyFile = join(dirname(file), historyName)
  for (const path of [keyFile, auditFile, historyFile])
    if (existsSync(path))
      throw new StartError(`${path} is there already: choose a folder without one, or move it away.`)
  const { moveToFile } = await import('../db/postgres/move.ts')
  const { readAuditLog } = await import('../db/postgres/moveAudit.ts')
  const { readHistory } = await import('../db/postgres/moveHistory.ts')
  let key: string | undefined
  const { tables, rows } = await moveToFile(place, file, (read) => {
    const sealed = read(sealedKeyName)
    if (typeof sealed === 'string') key = createSecretBox(() => sealingKey(place.key)).open(sealed, 0)
    return { [sealedKeyName]: undefined }
  })
  log.info(`Copied ${rows} rows of ${tables} tables to ${file}, read them back, and found them equal.`)
  if (key !== undefined) {
    writeFileSync(keyFile, `${key}\n`, { mode: 0o600, flag: 'wx' })
    log.info(`The key for the secrets of authenticator apps is in ${keyFile}.`)
  }
  const audit = openAuditFile(auditFile, auditLimits, (error) => {
    throw error
  })
  const lines = await readAuditLog(place, audit.append)
  audit.close()
  const buckets = await readHistory(place, historyFile)
  log.info(`${lines} lines of the audit log are in ${auditFile}, and ${buckets} buckets of charts in ${historyFile}.`)
  log.info('PostgreSQL is as it was. A server uses the file when it is wheelhouse.db in its DATA_DIR.')
}

const sealKey = (file: string, clusterKey: Buffer): string =>
  createSecretBox(() => sealingKey(clusterKey)).seal(readFileSync(file, 'utf8').trim(), 0)

/** What the tables of all features are: they are made where there are none. */
async function definitionsOfAll(): Promise<ReadonlyMap<string, TableDefinition>> {
  const { buildApp } = await import('../app.ts')
  const store = openStore(':memory:')
  const log = { info() {}, warn() {}, error() {} }
  const app = await buildApp({ store, log, settings: { host: '127.0.0.1' }, version: packageJson.version })
  const definitions = store.definitions()
  await app.close()
  store.close()
  return definitions
}
