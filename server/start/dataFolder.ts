import { accessSync, chmodSync, constants, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { lockFolder } from '../db/folderLock.ts'
import { StartError } from '../startError.ts'

/** The folder that holds everything this server keeps, ours alone while it runs. */
export interface DataFolder {
  path: string
  database: string
  /** Where the generated password of the first user waits for its reader, when there is no terminal. */
  passwordFile: string
  /** What services and servers were like over time. */
  historyFile: string
  /** Who did what, one line of JSON each. */
  auditFile: string
  /** Where people can sign in beside here; the operator writes it. */
  providersFile: string
  release(): void
}

const databaseName = 'wheelhouse.db'
export const providersName = 'oauth2.json'

/** Where the database is in a data folder, for those who only read it. */
export const databaseIn = (folder: string) => join(folder, databaseName)

/**
 * Makes or tightens the folder (0700) and locks it against a second server.
 * @throws StartError when it cannot be made or written, belongs to somebody else, or is in use
 */
export function openDataFolder(path: string): DataFolder {
  make(path)
  const release = lockFolder(path)
  return {
    path,
    database: databaseIn(path),
    passwordFile: join(path, 'admin-password.txt'),
    historyFile: join(path, 'history.db'),
    auditFile: join(path, 'audit.log'),
    providersFile: join(path, providersName),
    release,
  }
}

function make(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StartError(
      `The data folder ${path} cannot be made (${(error as NodeJS.ErrnoException).code}): set DATA_DIR to a folder that you can write.`,
      { cause: error },
    )
  }
  if (process.platform !== 'win32') tighten(path, statSync(path))
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(
      `The data folder ${path} cannot be written: change its rights, or set DATA_DIR to a folder that you can write.`,
      { cause: error },
    )
  }
}

/** Closes the folder to other people, unless it may be meant for them. */
function tighten(path: string, stats: Stats): void {
  if (stats.uid !== process.getuid?.()) {
    throw new StartError(
      `The data folder ${path} belongs to another user: set DATA_DIR to a folder of your own, or start as its owner.`,
    )
  }
  if ((stats.mode & 0o077) === 0) return
  // DATA_DIR=/tmp must not take /tmp away from everybody else.
  const contents = readdirSync(path).filter((name) => name !== providersName)
  if (contents.length > 0 && !contents.includes(databaseName)) {
    throw new StartError(
      `The data folder ${path} is open to other users and holds other files: set DATA_DIR to a folder for this server alone.`,
    )
  }
  chmodSync(path, 0o700)
}
