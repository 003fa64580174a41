/** The zone by whose clocks this server's tasks run, as the time zone database names it: `Europe/Rome`. */
export const ownTimezone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
