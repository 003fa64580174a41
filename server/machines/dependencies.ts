import { roles } from '../../src/schemas/define/access.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import { usersIn } from '../auth/users/users.ts'
import { createSnapshot } from '../db/selector.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { ApiError } from '../wire/apiCall.ts'

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

/**
 * What servers and services stand on, by the fields that people fill in. What others own counts for administrators
 * alone: an id may be named before its record is made, and a record may get another owner.
 */
export function parentsIn(store: Store): ParentsOf {
  const tables = tablesIn(store)
  const users = usersIn(store)
  const snapshot = createSnapshot([tables.server, tables.service, users])
  let latest: object | undefined
  let known = new Map<Subject, ReadonlySet<Subject>>()
  let direct = new Map<Subject, readonly Subject[]>()

  function visibleParents(subject: Subject): readonly Subject[] {
    const found = direct.get(subject)
    if (found) return found
    const row = rowIn(tables, subject)
    const parents = row ? directParents(row).filter((parent) => isVisibleTo(row.user_id, parent)) : []
    direct.set(subject, parents)
    return parents
  }

  /** @param owner 0 for those who set up the server */
  function isVisibleTo(owner: number, subject: Subject): boolean {
    const row = rowIn(tables, subject)
    return row !== undefined && (row.user_id === owner || owner === 0 || users.get(owner)?.role === roles.admin)
  }

  return (subject) => {
    const current = snapshot()
    if (current !== latest) {
      known = new Map()
      direct = new Map()
    }
    latest = current
    const found = known.get(subject) ?? reach(subject, visibleParents)
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
    for (const one of next(subject)) if (!reached.has(one)) left.push(one)
  }
  return reached
}

/**
 * Refuses a record that would stand on itself, directly or by others in between. Each of these is looked at once, by
 * whatever ways it is reached.
 * @throws ApiError
 */
export function refuseCircle(store: Store, subject: Subject, given: Dependent): void {
  const tables = tablesIn(store)
  const seen = new Set<Subject>()
  function leadsBack(parent: Subject): boolean {
    const left = [parent]
    for (let one = left.pop(); one; one = left.pop()) {
      if (one === subject) return true
      if (seen.has(one)) continue
      seen.add(one)
      for (const next of directParents(rowIn(tables, one) ?? {})) if (!seen.has(next)) left.push(next)
    }
    return false
  }
  const around = directParents(given).find(leadsBack)
  if (!around) return
  const field = around.startsWith('server ') ? 'depends_on' : 'depends_on_services'
  if (around === subject) throw new ApiError(`${field}: it cannot depend on itself`)
  const { name } = rowIn(tables, around) ?? {}
  throw new ApiError(`${field}: "${name}" depends on it already, directly or by others in between`)
}
