const formats = new Map<string, Intl.DateTimeFormat>()
/** More than there are zones: a name may be written in upper and lower case in millions of ways. */
const maxFormats = 1000

/** Whether a text names a zone of the time zone database, in its own spelling: `Asia/Tokyo`, `UTC`. */
export function isTimeZone(name: string): boolean {
  // `+02:00` is a zone to the browser, but not to servers.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    const resolved = formatOf(name).resolvedOptions().timeZone
    // Real servers read zones from files, whose names are case-sensitive: `asia/tokyo` is unknown there.
    return resolved === name || resolved.toLowerCase() !== name.toLowerCase()
  } catch {
    return false
  }
}

/**
 * What a zone's clocks show beyond UTC at a moment, in milliseconds.
 * @param at milliseconds since 1970
 * @throws RangeError for an unknown zone
 */
export function zoneOffset(zone: string, at: number): number {
  const shown: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(at)) shown[type] = Number(value)
  const { year = 0, month = 1, day, hour, minute, second } = shown
  const whole = Math.floor(at / 1000) * 1000
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole
}

/** Making a format costs a hundred times as much as using it. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const format = formats.get(zone)
  if (format) return format
  const part = 'numeric'
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: part,
    month: part,
    day: part,
    hour: part,
    minute: part,
    second: part,
  })
  if (formats.size >= maxFormats) formats.clear()
  formats.set(zone, made)
  return made
}
