/** Entries in the order of their time: to look at the first, and to add or move one, costs little however many there are. */
export interface TimeHeap<Entry extends { at: number }> {
  first(): Entry | undefined
  add(entry: Entry): void
  /** To be called when the time of the first has been increased. */
  firstMoved(): void
  removeFirst(): void
  clear(): void
}

/** A binary heap: no entry is sooner than the one at half of its index. */
export function createTimeHeap<Entry extends { at: number }>(): TimeHeap<Entry> {
  let heap: Entry[] = []

  function siftDown(moved: Entry): void {
    let index = 0
    for (;;) {
      const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]]
      const isRight = right !== undefined && right.at < (left as Entry).at
      const sooner = isRight ? right : left
      if (!sooner || sooner.at >= moved.at) break
      heap[index] = sooner
      index = 2 * index + (isRight ? 2 : 1)
    }
    heap[index] = moved
  }

  return {
    first: () => heap[0],
    add(entry) {
      let index = heap.length
      for (;;) {
        const parent = (index - 1) >> 1
        const above = heap[parent]
        if (index === 0 || !above || above.at <= entry.at) break
        heap[index] = above
        index = parent
      }
      heap[index] = entry
    },
    firstMoved() {
      if (heap[0]) siftDown(heap[0])
    },
    removeFirst() {
      const last = heap.pop()
      if (last && heap.length > 0) siftDown(last)
    },
    clear() {
      heap = []
    },
  }
}
