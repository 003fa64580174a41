import { rmSync, statfsSync, statSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { errorMessage } from '../../src/domain/errors.ts'
import { repeat } from '../concurrency/repeat.ts'
import type { History } from '../db/history/openHistory.ts'
import { runBackupProcess } from '../db/runBackupProcess.ts'
import type { Store } from '../db/store.ts'
import { StoreError } from '../db/storeError.ts'
import type { Log } from '../log.ts'
import { makeFoldersSync } from '../makeFolders.ts'
import type { Settings } from '../settings.ts'
import { backupNames, deleteOldBackups, listBackups } from './backupFiles.ts'

export interface BackupStatus {
  /** Whether backups are made by schedule. */
  scheduled: boolean
  /** When the latest one was made, milliseconds since 1970. */
  latest?: number
  /** Why there is no newer one. */
  failure?: { at: number; message: string }
}

/** What happened to one backup. */
export interface BackupReport {
  file: string
  bytes: number
  /** Older ones that were deleted. */
  deleted: number
}

export interface Backups {
  status(): BackupStatus
  /** Makes a backup if one is due. One is made at a time. Never rejects. */
  check(): Promise<void>
  /** Ends what is under way; nothing half done stays. */
  stop(): Promise<void>
}

export interface BackupsOptions {
  settings: BackupSettings
  /** The files to copy; without `history` there is none. */
  sources: { database: string; history?: string }
  /** Milliseconds since 1970. */
  now: () => number
  onSuccess(report: BackupReport): void
  onFailure(error: unknown): void
}

/** Milliseconds until a backup that failed is tried again. */
const retryMs = 3_600_000

/** Bytes that stay free, so that a backup on the disk of the data folder does not keep the server from saving. */
const reservedBytes = 64 * 1024 * 1024

function createBackups({ settings, sources, now, onSuccess, onFailure }: BackupsOptions): Backups {
  const { folder, keep } = settings
  const ending = new AbortController()
  let failure: BackupStatus['failure']
  let running: Promise<void> | undefined

  function latest(): number | undefined {
    try {
      // One from the future only shows that the clock was wrong.
      return listBackups(folder).find(({ isComplete, time }) => isComplete && time <= now())?.time
    } catch {
      // There is no folder yet.
      return undefined
    }
  }

  async function run(): Promise<void> {
    makeFoldersSync(folder, 0o700)
    checkSpace(folder, [sources.database, ...(sources.history ? [sources.history] : [])])
    const names = backupNames(folder, now())
    try {
      // The database last: a backup that has one is complete.
      if (sources.history) await runBackupProcess(sources.history, names.history, ending.signal)
      await runBackupProcess(sources.database, names.database, ending.signal)
    } catch (error) {
      rmSync(names.history, { force: true })
      throw error
    }
    // What is copied was read back as a whole; only now may older ones go.
    const deleted = deleteOldBackups(folder, keep)
    const bytes = sizeOf(names.database) + (sources.history ? sizeOf(names.history) : 0)
    failure = undefined
    onSuccess({ file: names.database, bytes, deleted })
  }

  function isDue(): boolean {
    if (failure && Math.abs(now() - failure.at) < retryMs) return false
    return (latest() ?? 0) < lastTime(settings.time, now())
  }

  return {
    status: () => ({ scheduled: true, latest: latest(), failure }),
    async check() {
      if (running || ending.signal.aborted || !isDue()) return running
      running = run()
        .catch((error: unknown) => {
          if (ending.signal.aborted) return
          failure = { at: now(), message: errorMessage(error) }
          onFailure(error)
        })
        .finally(() => {
          running = undefined
        })
      return running
    },
    async stop() {
      ending.abort()
      await running
    },
  }
}

/** The last time of day that has passed, by this machine's clock and time zone. @returns milliseconds since 1970 */
export function lastTime({ hour, minute }: BackupSettings['time'], now: number): number {
  const time = new Date(now)
  time.setHours(hour, minute, 0, 0)
  if (time.getTime() > now) time.setDate(time.getDate() - 1)
  return time.getTime()
}

/** @throws StoreError when the copies would not leave enough space */
function checkSpace(folder: string, sources: readonly string[]): void {
  const { bavail, bsize } = statfsSync(folder)
  const needed = sources.reduce((sum, path) => sum + sizeOf(path) + sizeOf(`${path}-wal`), reservedBytes)
  if (bavail * bsize >= needed) return
  throw new StoreError(
    `The disk of ${folder} has ${megabytes(bavail * bsize)} MB of free space, and a backup needs ${megabytes(needed)}: ` +
      'free some space, set BACKUP_DIR to another disk, or set BACKUP_KEEP to fewer backups and delete old ones.',
  )
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000)

declare module 'fastify' {
  interface FastifyInstance {
    /** How the backups by schedule are going. */
    backupStatus(): BackupStatus
  }
}

interface BackupsPluginOptions {
  store: Store
  log: Log
  settings: Pick<Settings, 'backups'>
  /** Default: in memory, and in no backup. */
  history?: History
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** Milliseconds between two looks whether a backup is due. Default: a minute. */
  backupCheckMs?: number
}

const defaultCheckMs = 60_000

/** Backups by schedule (docs/guides/backup.md). */
export const backupsPlugin = fp(
  async (app: FastifyInstance, options: BackupsPluginOptions) => {
    const { store, log, settings, history, now, backupCheckMs = defaultCheckMs } = options
    if (!settings.backups) {
      app.decorate('backupStatus', () => ({ scheduled: false }))
      return
    }
    const backups = createBackups({
      settings: settings.backups,
      sources: { database: store.path, ...(history?.path !== undefined && { history: history.path }) },
      now,
      onSuccess({ file, bytes, deleted }) {
        app.audit.write({ action: 'database.backup', target: file, detail: { bytes, ...(deleted > 0 && { deleted }) } })
      },
      onFailure(error) {
        const message = errorMessage(error)
        log.error(`The backup by schedule failed, and is tried again in an hour. ${message}`)
        app.audit.write({
          action: 'database.backup-failed',
          target: settings.backups?.folder,
          detail: { error: message },
        })
      },
    })
    app.decorate('backupStatus', backups.status)
    const checks = repeat(backups.check, {
      intervalMs: backupCheckMs,
      log,
      failure: 'The backup by schedule could not be checked:',
    })
    checks.start()
    app.addHook('onListen', async () => {
      // Not waited for: a server that was off when a backup was due is there at once.
      void backups.check()
    })
    app.addHook('preClose', async () => {
      checks.stop()
      await backups.stop()
    })
  },
  { name: 'backups', dependencies: ['audit'] },
)

type BackupSettings = NonNullable<Settings['backups']>
