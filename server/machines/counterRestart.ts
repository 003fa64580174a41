/**
 * The counters of a machine, as far as its report can be true: bytes since its boot, and seconds of uptime, 0 if
 * unknown.
 */
export interface Counters {
  in: number
  out: number
  uptime: number
}

/** The new start values of counters that have fallen; `undefined` when none has. */
export function restartOf(last: Counters, next: Counters): { in?: number; out?: number } | undefined {
  // A reboot, even if the counters have already grown beyond their old values.
  if (next.uptime > 0 && next.uptime < last.uptime) return { in: 0, out: 0 }
  // Without a reboot, a network interface has disappeared together with its counters.
  const isSameBoot = last.uptime > 0 && next.uptime > last.uptime
  const restart: { in?: number; out?: number } = {}
  if (next.in < last.in) restart.in = isSameBoot ? next.in : 0
  if (next.out < last.out) restart.out = isSameBoot ? next.out : 0
  return restart.in === undefined && restart.out === undefined ? undefined : restart
}

/** What was received and sent between two reports, in bytes. */
export function growthOf(last: Counters, next: Counters): { in: number; out: number } {
  const restart = restartOf(last, next) ?? {}
  return { in: next.in - (restart.in ?? last.in), out: next.out - (restart.out ?? last.out) }
}
