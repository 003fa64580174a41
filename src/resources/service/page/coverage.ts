import { coverAlarmed } from '../../../schemas/cron.ts'
import { isObject, type Values } from '../../../schemas/define/values.ts'

const ids = (value: unknown): readonly number[] => (Array.isArray(value) ? value : [])
const isIn = (set: unknown, id: number) => isObject(set) && set[id] === true

/** Whether a service is checked from a server: coverage 0 is all but the listed ones, 1 only those. */
export const isChecked = ({ cover, skip_servers }: Values, server: number): boolean =>
  cover === 1 ? isIn(skip_servers, server) : !isIn(skip_servers, server)

/** Whether an alert rule watches a server: all of its parts have to cover it, as they fail together or not at all. */
export const isWatched = ({ rules }: Values, server: number): boolean => {
  if (!Array.isArray(rules) || rules.length === 0) return false
  return rules.every((part: unknown) => {
    const { cover, ignore } = isObject(part) ? part : {}
    return cover === 1 ? isIn(ignore, server) : !isIn(ignore, server)
  })
}

/** Whether a task runs on a server: coverage 0 is only the listed ones, 1 all but those, 2 whichever raised an alarm. */
export const isRun = ({ cover, servers }: Values, server: number): boolean =>
  cover === coverAlarmed || (cover === 1 ? !ids(servers).includes(server) : ids(servers).includes(server))
