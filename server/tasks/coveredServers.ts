import { coverAlarmed } from '../../src/schemas/cron.ts'
import type { Row } from '../entities/row.ts'
import type { ReachedServers } from '../person.ts'

/** The servers that a task names; a task for all with exceptions, or for servers with alarms, may reach any. */
export const serversOfTask = ({ cover, servers }: Readonly<Record<string, unknown>>): ReachedServers =>
  cover === 0 ? ((servers as number[] | null) ?? []) : 'all'

/** Whether a task runs on a server. @param alertServer the server of the alert that has triggered it */
export function covers({ cover, servers }: Row, id: number, alertServer: Row | undefined): boolean {
  if (cover === coverAlarmed) return id === alertServer?.id
  const isListed = ((servers as number[] | null) ?? []).includes(id)
  return cover === 0 ? isListed : !isListed
}
