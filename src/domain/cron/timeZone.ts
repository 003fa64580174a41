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

const dayMs = 86_400_000

/** The moment, to the second, since which the UTC offset is that of `end`; all in milliseconds since 1970. */
export function changeBetween(zone: string, start: number, end: number): number {
  const lastOffset = zoneOffset(zone, end)
  let before = start
  let since = end
  while (since - before > 1000) {
    const middle = Math.floor((before + since) / 2000) * 1000
    if (zoneOffset(zone, middle) === lastOffset) since = middle
    else before = middle
  }
  return since
}

/**
 * The moment at which a zone's clocks show a time: the first of the two when clocks are put back, and the moment of the
 * change when they are put forward past it.
 * @param shown what they show, as milliseconds of a day that knows no zone @returns milliseconds since 1970
 */
export function momentOf(zone: string, shown: number): number {
  const before = zoneOffset(zone, shown - dayMs)
  const after = zoneOffset(zone, shown + dayMs)
  const moments = [shown - before, shown - after].filter((at) => zoneOffset(zone, at) === shown - at)
  if (moments.length > 0) return Math.min(...moments)
  return changeBetween(zone, shown - Math.max(before, after), shown - Math.min(before, after))
}
