/** A day of the calendar, which is the same in every time zone. @param at ms since 1970 of its beginning in UTC */
export const formatDay = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(at)
