/** Ids in little memory: thousands of services each remember thousands of servers. Those of one range share a number. */
export interface IdSet {
  has(id: number): boolean
  add(id: number): void
  delete(id: number): void
  size(): number
  ids(): Iterable<number>
}

/** Ids for each number: as many bits as Node keeps of a number without an object for it. */
const bits = 30

export function createIdSet(): IdSet {
  const ranges = new Map<number, number>()
  let size = 0

  const rangeOf = (id: number) => Math.floor(id / bits)
  const bitOf = (id: number) => 1 << (id % bits)
  const has = (id: number) => ((ranges.get(rangeOf(id)) ?? 0) & bitOf(id)) !== 0

  return {
    has,
    size: () => size,
    add(id) {
      if (has(id)) return
      ranges.set(rangeOf(id), (ranges.get(rangeOf(id)) ?? 0) | bitOf(id))
      size++
    },
    delete(id) {
      if (!has(id)) return
      const left = (ranges.get(rangeOf(id)) ?? 0) & ~bitOf(id)
      if (left === 0) ranges.delete(rangeOf(id))
      else ranges.set(rangeOf(id), left)
      size--
    },
    *ids() {
      for (const [range, members] of ranges) {
        for (let bit = 0; bit < bits; bit++) if (members & (1 << bit)) yield range * bits + bit
      }
    },
  }
}
