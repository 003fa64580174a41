import type { Person } from '../../person.ts'

/** Somebody with an open live stream. */
export interface Visitor {
  /** Nobody is signed in when it is undefined. */
  person: Person | undefined
  address: string
  /** RFC 3339. */
  connectedAt: string
  /** Ends the stream. */
  cut(): void
}

/** Who is connected, in memory. */
export interface OnlineUsers {
  /** @returns what to call when they leave */
  enter(visitor: Visitor): () => void
  /** In the order of their coming. */
  list(): readonly Visitor[]
  count(): number
  /** Ends the streams of those that the test picks. */
  cut(picks: (visitor: Visitor) => boolean): void
}

export function createOnlineUsers(): OnlineUsers {
  const visitors = new Set<Visitor>()
  return {
    enter(visitor) {
      visitors.add(visitor)
      return () => visitors.delete(visitor)
    },
    list: () => [...visitors],
    count: () => visitors.size,
    cut(picks) {
      for (const visitor of [...visitors]) if (picks(visitor)) visitor.cut()
    },
  }
}
