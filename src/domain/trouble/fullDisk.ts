/**
 * Percent of all disks of a machine. File systems keep about 5 % for their administrator and themselves: from here on,
 * what ordinary programs may still write is nothing, or gone within minutes.
 */
const fullFrom = 97
/** A disk that stays at the limit is one trouble, and not one for each file that comes and goes. */
const fullUntil = 96

/**
 * How full the disks of a machine are, in whole percent, where that is trouble by itself, without a rule.
 * @param used of `total`, in bytes
 * @param wasFull whether it was trouble a moment ago
 */
export function fullDiskPercent(used: number | undefined, total: number | undefined, wasFull = false) {
  if (!used || !total) return undefined
  const percent = (used / total) * 100
  // Rounded as the meter beside it is.
  return percent >= (wasFull ? fullUntil : fullFrom) ? Math.min(100, Math.round(percent)) : undefined
}
