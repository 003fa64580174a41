/** How the body of a notifier or a DDNS webhook is written, as the wire numbers it. */
export const requestTypes = { 1: 'json', 2: 'form' } as const
