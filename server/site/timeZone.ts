/** The time zone of this server, in which its tasks run: `Europe/Rome`. */
export const ownTimezone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
