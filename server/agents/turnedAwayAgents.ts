import type { TurnedAwayAgent } from '../../src/schemas/machines/turnedAwayAgent.ts'
import type { Store } from '../db/store.ts'
import { keyedTable } from '../db/writeBehind.ts'
import { owns, type Person } from '../person.ts'
import { timestamp, withoutEmpty } from '../wire/apiCall.ts'

/** Agents whose server was deleted. They go on calling, and are refused until somebody lets them in again. */
export interface TurnedAwayAgents {
  has(uuid: string): boolean
  add(servers: readonly { uuid: string; name: string; user_id: number }[]): void
  /** One of them has called. @param address its own, '' when unknown */
  called(uuid: string, address: string): void
  /** Those that a person may let in: of their own servers, or all for administrators; who was deleted last comes first. */
  list(person: Person | undefined): TurnedAwayAgent[]
  /** Lets them in again; others than the person's are left out. @returns those that may come */
  admit(uuids: readonly string[], person: Person | undefined): string[]
}

interface TurnedAwayRow {
  id: number
  uuid: string
  name: string
  user_id: number
  /** RFC 3339. */
  deleted_at: string
}

/** Beyond it the agent that was turned away first may register again. */
const maxAgents = 10_000

/** @param now milliseconds since 1970 */
export function openTurnedAwayAgents(store: Store, now: () => number): TurnedAwayAgents {
  const { saved, save } = keyedTable<TurnedAwayRow, string>(
    store,
    {
      name: 'turned_away_agent',
      columns: [
        { name: 'uuid', type: 'TEXT', unique: true },
        { name: 'name', type: 'TEXT' },
        { name: 'user_id', type: 'INTEGER' },
        { name: 'deleted_at', type: 'TEXT' },
      ],
    },
    ({ uuid }) => uuid,
  )
  /** In memory: they call every ten seconds. */
  const calls = new Map<string, { address: string; at: number }>()

  return {
    has: (uuid) => saved().has(uuid),
    add(servers) {
      const deleted_at = timestamp(now())
      save(servers.map(({ uuid, name, user_id }) => [uuid, { uuid, name, user_id, deleted_at }]))
      const oldest = [...saved().keys()].slice(0, Math.max(0, saved().size - maxAgents))
      save(oldest.map((uuid) => [uuid, undefined]))
    },
    called: (uuid, address) => void calls.set(uuid, { address, at: now() }),
    list: (person) =>
      [...saved().values()]
        .filter((row) => owns(person, row))
        .reverse()
        .map(({ uuid, name, deleted_at }) => {
          const call = calls.get(uuid)
          const last_call = call && { address: call.address, called_at: timestamp(call.at) }
          return { uuid, ...withoutEmpty({ name }), deleted_at, ...withoutEmpty({ ...last_call }) }
        }),
    admit(uuids, person) {
      const admitted = [...new Set(uuids)].filter((uuid) => {
        const row = saved().get(uuid)
        return row && owns(person, row)
      })
      save(admitted.map((uuid) => [uuid, undefined]))
      for (const uuid of admitted) calls.delete(uuid)
      return admitted
    },
  }
}
