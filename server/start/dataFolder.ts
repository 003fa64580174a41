import { accessSync, chmodSync, constants, existsSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../src/domain/errors.ts'
import { type FolderLock, lockFiles, lockFolder, refuseFullDisk } from '../db/folderLock.ts'
import { isFolder } from '../db/storeError.ts'
import { StartError } from '../log.ts'
import { makeFoldersSync } from '../makeFolders.ts'
import { readSettings } from '../settings.ts'

/** The folder with all data of this server, locked while it runs. */
export interface DataFolder extends FolderLock {
  path: string
  database: string
  /** Holds the generated password of the first user, when there is no terminal. */
  passwordFile: string
  /** Metrics of services and servers over time. */
  historyFile: string
  /** The audit log. */
  auditFile: string
  /** In a cluster: lines of the audit log that the database does not have yet. */
  waitingAuditFile: string
  /** In a cluster: which timeline of PostgreSQL this server has worked with. */
  timelineFile: string
  /** The key that encrypts the secrets of authenticator apps. It is no part of a backup. */
  secondFactorKeyFile: string
  /** The OAuth2 providers, written by the operator. */
  providersFile: string
  /** The errors that ended this server. */
  traceFile: string
  /** A folder with the recordings of terminals. */
  recordingsFolder: string
}

const databaseName = 'wheelhouse.db'
export const historyName = 'history.db'
/** See `DataFolder`. */
export const timelineFileIn = (path: string): string => join(path, 'database-timeline.json')
export const providersName = 'oauth2.json'
export const secondFactorKeyName = 'second-factor.key'
export const auditName = 'audit.log'

/** The path of the database in a data folder, for reading only. */
export const databaseIn = (folder: string) => join(folder, databaseName)

/**
 * Creates the folder or restricts its permissions (0700), and locks it against a second server.
 * @throws StartError when it cannot be made or written, belongs to somebody else, or is in use
 */
export function openDataFolder(path: string): DataFolder {
  createFolder(path)
  const files = filesIn(path)
  for (const file of [...Object.values(files), ...lockFiles.map((name) => join(path, name))]) refuseFolder(file)
  return { path, ...files, recordingsFolder: join(path, 'recordings'), ...lockFolder(path) }
}

/** Whether the folder is there and not open to this user, for whom everything in it would seem to be missing. */
export function isClosedToUs(path: string): boolean {
  try {
    readdirSync(path)
    return false
  } catch (error) {
    return errorCode(error) === 'EACCES'
  }
}

/** @throws StartError when the folder is not open to this user */
function refuseClosedFolder(path: string): void {
  if (!isClosedToUs(path)) return
  throw new StartError(
    `The data folder ${path} is not open to this user: do this as its owner (sudo -u wheelhouse env DATA_DIR=${path} …), or set DATA_DIR to another folder.`,
  )
}

/** What a server leaves beside its database, and nobody brings along: people write the OAuth2 providers themselves. */
const leftBehind = [`${databaseName}-wal`, historyName, secondFactorKeyName, auditName]

/** The files of an earlier server in a folder whose database is missing: a start would take it for the first one. */
export const leftoversIn = (path: string): string[] =>
  existsSync(databaseIn(path))
    ? []
    : leftBehind.filter((name) => statSync(join(path, name), { throwIfNoEntry: false })?.isFile())

/**
 * A new database would let a new administrator in, beside the history and the keys of others, and hide that something is
 * lost. @throws StartError when only the rest of an earlier server is there, or the folder is not open to this user
 */
export function refuseLostDatabase(path: string): void {
  refuseClosedFolder(path)
  const leftovers = leftoversIn(path)
  if (leftovers.length === 0) return
  throw new StartError(
    `The database ${databaseIn(path)} is missing, and what an earlier server left is there (${leftovers.join(', ')}): ` +
      'restore a backup (wheelhouse restore FILE), or move these files away to begin anew.',
  )
}

function filesIn(path: string): Omit<DataFolder, 'path' | 'recordingsFolder' | keyof FolderLock> {
  return {
    database: databaseIn(path),
    passwordFile: join(path, 'admin-password.txt'),
    historyFile: join(path, historyName),
    auditFile: join(path, auditName),
    waitingAuditFile: join(path, 'audit-waiting.log'),
    timelineFile: timelineFileIn(path),
    secondFactorKeyFile: join(path, secondFactorKeyName),
    providersFile: join(path, providersName),
    traceFile: join(path, 'crash.log'),
  }
}

function refuseFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new StartError(isFolder(path))
}

function createFolder(path: string): void {
  try {
    makeFoldersSync(path, 0o700)
  } catch (error) {
    refuseFullDisk(error, path)
    throw new StartError(
      `The data folder ${path} cannot be made (${errorCode(error)}): set DATA_DIR to a folder that you can write.`,
      { cause: error },
    )
  }
  if (process.platform !== 'win32') restrictPermissions(path, statSync(path))
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(
      `The data folder ${path} cannot be written: change its rights, or set DATA_DIR to a folder that you can write.`,
      { cause: error },
    )
  }
}

/** Denies other users access to the folder, unless it holds other files than ours. */
function restrictPermissions(path: string, stats: Stats): void {
  if (stats.uid !== process.getuid?.()) {
    throw new StartError(
      `The data folder ${path} belongs to another user: set DATA_DIR to a folder of your own, or start as its owner.`,
    )
  }
  if ((stats.mode & 0o077) === 0) return
  // DATA_DIR=/tmp must not lock everybody else out of /tmp.
  const contents = readdirSync(path).filter((name) => name !== providersName)
  if (contents.length > 0 && !contents.includes(databaseName)) {
    throw new StartError(
      `The data folder ${path} is open to other users and holds other files: set DATA_DIR to a folder for this server alone.`,
    )
  }
  chmodSync(path, 0o700)
}

/**
 * The data folder of a server that was started before: a command must not create a new one by accident.
 * @throws StartError when there is no database in it, or it is not open to this user
 */
export function existingFolder(env: NodeJS.ProcessEnv): { path: string; database: string } {
  const { dataDir } = readSettings(env)
  refuseClosedFolder(dataDir)
  const database = databaseIn(dataDir)
  if (!existsSync(database)) {
    throw new StartError(`There is no database in ${dataDir}: set DATA_DIR to the folder that your server uses.`)
  }
  return { path: dataDir, database }
}
