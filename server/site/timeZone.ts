import { isTimeZone } from '../../src/domain/cron/timeZone.ts'

const zones = new Map<string | undefined, string>()

/**
 * The time zone of this server, in which its tasks run: `Europe/Rome`. Asked once, as each answer takes a third of a
 * millisecond; only `TZ` changes it while the process runs. Where that is empty or names none, the clock shows UTC.
 */
export function ownTimezone(): string {
  const setting = process.env.TZ
  const known = zones.get(setting)
  if (known) return known
  const resolved: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone
  const zone = resolved && isTimeZone(resolved) ? resolved : 'UTC'
  zones.set(setting, zone)
  return zone
}
