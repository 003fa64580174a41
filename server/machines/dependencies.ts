import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import { createSnapshot } from '../db/selector.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { ApiError } from '../wire/apiError.ts'

/** A server or service, as a key: 'server 3'. */
export type Subject = `server ${number}` | `service ${number}`

/** What a server or service stands on, directly or by others in between: without itself. */
export type ParentsOf = (subject: Subject) => ReadonlySet<Subject>

/** The fields of servers and services that say what they stand on. */
interface Dependent {
  depends_on?: readonly number[] | null
  depends_on_services?: readonly number[] | null
}

const directParents = ({ depends_on, depends_on_services }: Dependent): Subject[] => [
  ...(depends_on ?? []).map((id): Subject => `server ${id}`),
  ...(depends_on_services ?? []).map((id): Subject => `service ${id}`),
]

const tablesIn = (store: Store) => ({ server: entityTable(store, server), service: entityTable(store, service) })

function rowIn(tables: ReturnType<typeof tablesIn>, subject: Subject) {
  const [kind, id] = subject.split(' ')
  return kind === 'server' ? tables.server.get(Number(id)) : tables.service.get(Number(id))
}

/** What servers and services stand on, by the fields that people fill in. */
export function parentsIn(store: Store): ParentsOf {
  const tables = tablesIn(store)
  const snapshot = createSnapshot([tables.server, tables.service])
  let latest: object | undefined
  let known = new Map<Subject, ReadonlySet<Subject>>()

  return (subject) => {
    const current = snapshot()
    if (current !== latest) known = new Map()
    latest = current
    const found = known.get(subject) ?? reach(subject, (one) => directParents(rowIn(tables, one) ?? {}))
    known.set(subject, found)
    return found
  }
}

/** All that is reached from a subject, without itself. */
function reach(start: Subject, next: (subject: Subject) => readonly Subject[]): Set<Subject> {
  const reached = new Set<Subject>()
  const left = [...next(start)]
  for (let subject = left.pop(); subject; subject = left.pop()) {
    if (subject === start || reached.has(subject)) continue
    reached.add(subject)
    left.push(...next(subject))
  }
  return reached
}

/**
 * Refuses a record that would stand on itself, directly or by others in between.
 * @throws ApiError
 */
export function refuseCircle(store: Store, subject: Subject, given: Dependent): void {
  const parentsOf = parentsIn(store)
  const around = directParents(given).find((parent) => parent === subject || parentsOf(parent).has(subject))
  if (!around) return
  const field = around.startsWith('server ') ? 'depends_on' : 'depends_on_services'
  if (around === subject) throw new ApiError(`${field}: it cannot depend on itself`)
  const { name } = rowIn(tablesIn(store), around) ?? {}
  throw new ApiError(`${field}: "${name}" depends on it already, directly or by others in between`)
}
