import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const hour = 3600

/**
 * Gives a server a history while another process runs: a value of each hour, up to the hour before this one.
 * @param cpuAt CPU use in percent, by how many hours ago it was
 * @returns when the running hour began, in seconds since 1970
 */
export function addHistory(
  dataDir: string,
  serverId: number,
  hours: number,
  cpuAt: (hoursAgo: number) => number,
): number {
  const database = new DatabaseSync(join(dataDir, 'history.db'), { timeout: 5000 })
  const thisHour = Math.floor(Date.now() / 1000 / hour) * hour
  const insert = database.prepare(
    'INSERT OR REPLACE INTO server_3600 (bucket, one, other, reports, cpu) VALUES (?, ?, 0, 1, ?)',
  )
  database.exec('BEGIN IMMEDIATE')
  for (let ago = hours; ago > 0; ago--) insert.run(thisHour - ago * hour, serverId, cpuAt(ago))
  database.prepare("INSERT OR REPLACE INTO progress VALUES ('server_3600', ?)").run(thisHour)
  database.exec('COMMIT')
  database.close()
  return thisHour
}
