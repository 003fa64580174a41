/** Which rows of a table there are, by id, and which have gone. */
export interface Presence {
  has(id: number): boolean
  /** The ids that were there the last time and are not any more. */
  gone(): number[]
}

/** @param rows the same list as before while nothing has changed */
export function createPresence(rows: () => readonly { id: number }[]): Presence {
  let seen = rows()
  let ids = new Set(seen.map(({ id }) => id))
  return {
    has: (id) => ids.has(id),
    gone() {
      const before = ids
      if (seen === rows()) return []
      seen = rows()
      ids = new Set(seen.map(({ id }) => id))
      return [...before].filter((id) => !ids.has(id))
    },
  }
}
