/**
 * `14:02`, with the day in front when it is another one.
 * @param at milliseconds since 1970 @param now the same @param timeZone default: that of this machine; named in the text
 */
export function shortTime(at: number, now: number, locale: string, timeZone?: string): string {
  const day = (moment: number) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(moment)
  return new Intl.DateTimeFormat(locale, {
    ...(day(at) !== day(now) && { month: 'short', day: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    ...(timeZone && { timeZone, timeZoneName: 'short' }),
  }).format(at)
}
