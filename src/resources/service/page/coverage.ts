import { coverAlarmed } from '../../../schemas/cron.ts'

type Row = Readonly<Record<string, unknown>>

const ids = (value: unknown): readonly number[] => (Array.isArray(value) ? value : [])
const isIn = (set: unknown, id: number) => (set as Record<string, unknown> | null | undefined)?.[id] === true

/** Whether a service is checked from a server: coverage 0 is all but the listed ones, 1 only those. */
export const isChecked = ({ cover, skip_servers }: Row, server: number): boolean =>
  cover === 1 ? isIn(skip_servers, server) : !isIn(skip_servers, server)

/** Whether an alert rule watches a server: all of its parts have to cover it, as they fail together or not at all. */
export const isWatched = ({ rules }: Row, server: number): boolean => {
  const parts = Array.isArray(rules) ? (rules as (Row | null)[]) : []
  return (
    parts.length > 0 &&
    parts.every((part) => (part?.cover === 1 ? isIn(part.ignore, server) : !isIn(part?.ignore, server)))
  )
}

/** Whether a task runs on a server: coverage 0 is only the listed ones, 1 all but those, 2 whichever raised an alarm. */
export const isRun = ({ cover, servers }: Row, server: number): boolean =>
  cover === coverAlarmed || (cover === 1 ? !ids(servers).includes(server) : ids(servers).includes(server))
