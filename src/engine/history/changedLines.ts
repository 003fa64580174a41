/** Lines that stand before and after those that differ. */
const contextLines = 1

/** Two texts without the lines that they have in common at the beginning and at the end; '…' stands for these. */
export function changedLines(from: string, to: string): { from: string; to: string } {
  const [old, next] = [from.split('\n'), to.split('\n')]
  const shorter = Math.min(old.length, next.length)
  let head = 0
  while (head < shorter && old[head] === next[head]) head++
  let tail = 0
  while (tail < shorter - head && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail++
  const [start, end] = [Math.max(0, head - contextLines), Math.max(0, tail - contextLines)]
  const cut = (lines: readonly string[]) =>
    [...(start > 0 ? ['…'] : []), ...lines.slice(start, lines.length - end), ...(end > 0 ? ['…'] : [])].join('\n')
  return { from: cut(old), to: cut(next) }
}
