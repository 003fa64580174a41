/** A record and the whole number that it is ordered by. */
export interface Ranked {
  id: number
  index: number
}

/** Between neighbours that get new numbers, so that others fit between them later. */
const gap = 10

/**
 * The fewest new numbers that bring records into an order.
 *
 * Lists have larger numbers first and, among equal ones, smaller ids (docs/contract/CONTRACT.md#54-servers). So from one
 * record to the next the number must fall by one where the id is smaller than the one before, and may stay otherwise.
 * Call the falls up to a record its depth: two records can both keep their numbers, and all between them find room, just
 * when number plus depth does not rise from the first to the second. The longest row of records for which it never rises
 * is what stays.
 *
 * @param records in the order that is wanted
 * @param moved the id of the record that somebody moved: where another would do as well, it is the one that changes
 * @returns the new numbers by id, of those that have to change
 */
export function orderIndexes(records: readonly Ranked[], moved?: number): Map<number, number> {
  const depths: number[] = []
  for (const [at, { id }] of records.entries()) {
    const before = records[at - 1]
    depths.push((depths[at - 1] ?? 0) + (before && before.id > id ? 1 : 0))
  }
  const numbers = records.map(({ index }, at) => index + (depths[at] as number))
  const longest = longestFalling(numbers)
  const others = longestFalling(
    numbers,
    records.findIndex(({ id }) => id === moved),
  )
  const inOrder = others.length === longest.length ? others : longest
  const changed = new Map<number, number>()
  const fill = (from: number | undefined, to: number | undefined) => {
    const above = from === undefined ? undefined : (records[from] as Ranked).index
    const below = to === undefined ? undefined : (records[to] as Ranked).index
    for (let at = (from ?? -1) + 1; at < (to ?? records.length); at += 1) {
      changed.set((records[at] as Ranked).id, numberAt(at))
    }

    function numberAt(at: number): number {
      if (from === undefined || above === undefined) return (below ?? 0) + gap * ((to ?? records.length) - at)
      if (to === undefined || below === undefined) return above - gap * (at - from)
      const fall = (end: number) => (depths[end] as number) - (depths[from] as number)
      const space = above - below - fall(to)
      return above - fall(at) - Math.floor((space * (at - from)) / (to - from))
    }
  }
  const borders = [undefined, ...inOrder, undefined]
  for (const [place, from] of borders.slice(0, -1).entries()) fill(from, borders[place + 1])
  return changed
}

/** New numbers for all records in this order, with room between them; those that have theirs already are left out. */
export function evenIndexes(records: readonly Ranked[]): Map<number, number> {
  const numbered = records.map(({ id, index }, at) => ({ id, index, even: gap * (records.length - at) }))
  return new Map(numbered.filter(({ index, even }) => index !== even).map(({ id, even }) => [id, even]))
}

/** The places of the longest part of a row of numbers that never rises. @param without a place that is not to be in it */
function longestFalling(numbers: readonly number[], without?: number): number[] {
  /** By length less one: the place where the part of this length ends that leaves most room below. */
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  for (const [at, number] of numbers.entries()) {
    if (at === without) continue
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] as number] as number) >= number) low = middle + 1
      else high = middle
    }
    previous[at] = ends[low - 1]
    ends[low] = at
  }
  const places: number[] = []
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) places.push(at)
  return places.reverse()
}
