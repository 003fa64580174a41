import { coverAlarmed } from '../../src/schemas/cron.ts'
import type { ServerRow, TaskRow } from '../entities/row.ts'
import type { ReachedServers } from '../person.ts'

/** The servers that a task names; a task for all with exceptions, or for servers with alarms, may reach any. */
export const serversOfTask = ({ cover, servers }: Pick<TaskRow, 'cover' | 'servers'>): ReachedServers =>
  cover === 0 ? (servers ?? []) : 'all'

/** Whether a task runs on a server. @param alertServer the server of the alert that has triggered it */
export function covers({ cover, servers }: TaskRow, id: number, alertServer: ServerRow | undefined): boolean {
  if (cover === coverAlarmed) return id === alertServer?.id
  const isListed = servers?.includes(id) ?? false
  return cover === 0 ? isListed : !isListed
}
