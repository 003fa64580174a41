import type { Person } from '../../person.ts'

/** A client with an open live stream. */
export interface OnlineUser {
  /** `undefined` when nobody is signed in. */
  person: Person | undefined
  address: string
  /** RFC 3339. */
  connectedAt: string
  /** Closes the stream. */
  disconnect(): void
}

/** The clients with an open live stream, in memory. */
export interface OnlineUsers {
  /** @returns a function that removes the user again */
  add(user: OnlineUser): () => void
  /** In the order of their connection. */
  list(): readonly OnlineUser[]
  count(): number
  /** Closes the streams of those for whom the predicate is true. */
  disconnect(predicate: (user: OnlineUser) => boolean): void
}

export function createOnlineUsers(): OnlineUsers {
  const users = new Set<OnlineUser>()
  return {
    add(user) {
      users.add(user)
      return () => users.delete(user)
    },
    list: () => [...users],
    count: () => users.size,
    disconnect(predicate) {
      for (const user of [...users]) if (predicate(user)) user.disconnect()
    },
  }
}
