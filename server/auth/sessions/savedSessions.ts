import type { Store } from '../../db/store.ts'

/** One sign-in. It is stored, so that it outlives a restart and can be ended by the server. */
export interface Session {
  id: number
  /** What the token contains: cannot be guessed, and never repeats, not even after a restored backup. */
  key: string
  user_id: number
  /** Milliseconds since 1970, both. */
  created: number
  expires: number
  /** The client's address at the sign-in; '' when addresses are not known. */
  address: string
  /** The address of the other family, IPv4 or IPv6, from which it was first used; '' before that. */
  other_address: string
  user_agent: string
  /** Milliseconds since 1970 of the last proof of who is at the keyboard; 0 for the time of the sign-in. */
  proved: number
}

/**
 * The stored sessions. A change that cannot be written, as on a full disk, counts all the same and is written later:
 * nobody is kept from signing in or out.
 */
export interface SavedSessions {
  get(id: number): Session | undefined
  /** By id, ascending: those with all of these values. */
  find(where: Partial<Session>): Session[]
  add(values: Omit<Session, 'id'>): void
  change(session: Session, values: Partial<Pick<Session, 'expires' | 'proved' | 'other_address'>>): void
  remove(sessions: readonly Session[]): void
  /** Stops trying to write what could not be written. */
  close(): void
}

/** A change of a row. A session that was ended meanwhile must not come back, so only a new one is inserted. */
interface Change {
  kind: 'insert' | 'update' | 'remove'
  session: Session
}

const isRemoval = ({ kind }: Change) => kind === 'remove'

/** How long after a failed write the next try is made. */
const retryMs = 5_000

/** @param onFailure called for the first of several failed writes in a row */
export function openSessions(store: Store, onFailure: (error: unknown) => void): SavedSessions {
  const table = store.table<Session>({
    name: 'session',
    columns: [
      { name: 'key', type: 'TEXT', unique: true },
      { name: 'user_id', type: 'INTEGER' },
      { name: 'created', type: 'INTEGER' },
      { name: 'expires', type: 'INTEGER' },
      { name: 'address', type: 'TEXT', initial: '' },
      { name: 'user_agent', type: 'TEXT', initial: '' },
      { name: 'proved', type: 'INTEGER', initial: 0 },
      { name: 'other_address', type: 'TEXT', initial: '' },
    ],
  })
  /** What could not be written yet, by id. */
  const unsaved = new Map<number, Change>()
  let hasFailed = false
  let retry: NodeJS.Timeout | undefined

  /** @returns whether everything is written */
  function tryWrite(write: () => void, hasRemoval = false): boolean {
    try {
      // The end of a session counts after a restart too, and so does what came before it.
      const transaction = hasRemoval || [...unsaved.values()].some(isRemoval) ? store.urgently : store.transaction
      transaction(() => {
        for (const change of unsaved.values()) save(change)
        write()
      })
      unsaved.clear()
      hasFailed = false
      return true
    } catch (error) {
      if (!hasFailed) onFailure(error)
      hasFailed = true
      retry ??= setTimeout(retryWrite, retryMs).unref()
      return false
    }
  }

  function retryWrite(): void {
    retry = undefined
    if (unsaved.size > 0) tryWrite(() => {})
  }

  function save({ kind, session }: Change): void {
    if (kind === 'remove') table.remove([session.id])
    else if (kind === 'update') table.update(session.id, session)
    else table.insert(session)
  }

  function saveAll(changes: readonly Change[]): void {
    if (changes.length === 0) return
    const isSaved = tryWrite(() => {
      for (const change of changes) save(change)
    }, changes.some(isRemoval))
    if (!isSaved) for (const change of changes) remember(change)
  }

  function remember({ kind, session }: Change): void {
    const isUnsavedInsert = kind === 'update' && unsaved.get(session.id)?.kind === 'insert'
    unsaved.set(session.id, { kind: isUnsavedInsert ? 'insert' : kind, session })
  }

  function get(id: number): Session | undefined {
    const change = unsaved.get(id)
    if (change) return change.kind === 'remove' ? undefined : change.session
    return table.get(id)
  }

  return {
    get,
    find(where) {
      const conditions = Object.entries(where)
      const waiting = [...unsaved.values()].flatMap(({ kind, session }) => {
        const matches = conditions.every(([name, value]) => session[name as keyof Session] === value)
        return kind !== 'remove' && matches ? [session] : []
      })
      return [...table.find(where).filter(({ id }) => !unsaved.has(id)), ...waiting].sort((a, b) => a.id - b.id)
    },
    add(values) {
      if (tryWrite(() => table.insert(values))) return
      const [latest] = table.latest({}, 0, 1)
      const id = Math.max(latest?.id ?? 0, ...unsaved.keys()) + 1
      unsaved.set(id, { kind: 'insert', session: { ...values, id } })
    },
    change({ id }, values) {
      const session = get(id)
      if (session) saveAll([{ kind: 'update', session: { ...session, ...values } }])
    },
    remove: (sessions) => saveAll(sessions.map((session) => ({ kind: 'remove', session }))),
    close: () => clearTimeout(retry),
  }
}
