import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { errorMessage } from '../../src/domain/errors.ts'
import { repeat } from '../concurrency/repeat.ts'
import type { History } from '../db/history/openHistory.ts'
import type { Store } from '../db/store.ts'
import type { Log } from '../log.ts'
import type { Settings } from '../settings.ts'
import { type BackupStatus, createBackups } from './backups.ts'

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
