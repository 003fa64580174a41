import type { ProcessItem } from '../../../schemas/inspect/processes.ts'

/** A process in the list: in a tree, how deep it is. */
export interface ShownProcess extends ProcessItem {
  depth: number
}

/**
 * The processes below those that started them.
 * @param compare the order of those with the same parent
 */
export function processTree(
  processes: readonly ShownProcess[],
  compare: (one: ShownProcess, other: ShownProcess) => number,
): ShownProcess[] {
  const known = new Set(processes.map(({ pid }) => pid))
  // One whose parent is not there, or that names itself, begins a tree.
  const parentOf = ({ pid, ppid }: ShownProcess) => (ppid !== pid && known.has(ppid) ? ppid : undefined)
  const children = Map.groupBy(processes, parentOf)
  const shown: ShownProcess[] = []
  const left = [...(children.get(undefined) ?? [])].sort((a, b) => -compare(a, b))
  for (let next = left.pop(); next; next = left.pop()) {
    shown.push(next)
    const { pid, depth } = next
    const below = [...(children.get(pid) ?? [])].sort((a, b) => -compare(a, b))
    left.push(...below.map((one) => ({ ...one, depth: depth + 1 })))
  }
  return shown
}
