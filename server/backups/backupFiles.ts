import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { historyBeside } from '../db/createBackup.ts'

/** One backup in the folder. */
export interface Backup {
  /** Milliseconds since 1970. */
  time: number
  /** Whether it has its database. The history is copied first, so it is whole then. */
  isComplete: boolean
  /** Paths of its files, those of a copy that was interrupted as well. */
  files: string[]
}

/** The files of one backup. */
export interface BackupNames {
  database: string
  history: string
}

/** `wheelhouse-20261123T030000Z.db`, `wheelhouse-20261123T030000Z.history.db`, and what a killed copy leaves. */
const namePattern = /^wheelhouse-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(\.history)?\.db(\.part(?:-journal)?)?$/

/** The files of a backup made at a time. @param time milliseconds since 1970 */
export function backupNames(folder: string, time: number): BackupNames {
  const stamp = `${new Date(time).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const database = join(folder, `wheelhouse-${stamp}.db`)
  return { database, history: historyBeside(database) }
}

/** The backups in a folder, the latest first; other files in it are ignored. */
export function listBackups(folder: string): Backup[] {
  const byTime = new Map<number, Backup>()
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const match = entry.isFile() ? namePattern.exec(entry.name) : null
    if (!match) continue
    const [, year, month, day, hour, minute, second, history, part] = match
    const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    if (Number.isNaN(time)) continue
    const backup = byTime.get(time) ?? { time, isComplete: false, files: [] }
    backup.files.push(join(folder, entry.name))
    if (!history && !part) backup.isComplete = true
    byTime.set(time, backup)
  }
  return [...byTime.values()].sort((one, other) => other.time - one.time)
}

/**
 * Deletes all but the latest backups, and what interrupted ones before the latest left.
 * @param keep how many complete ones stay
 * @returns the number of deleted backups
 */
export function deleteOldBackups(folder: string, keep: number): number {
  const backups = listBackups(folder)
  const complete = backups.filter(({ isComplete }) => isComplete)
  const latest = complete[0]?.time ?? 0
  const newest = new Set(complete.slice(0, keep))
  const old = backups.filter((backup) => !newest.has(backup) && backup.time < latest)
  for (const { files } of old) for (const file of files) rmSync(file, { force: true })
  return old.length
}
