import type { Right } from './roles.ts'

/** Whether the person who asked for a record may only look at it, as with a server that somebody shares with them. */
export const isReadOnly = (record: object): boolean => 'read_only' in record && record.read_only === true

/**
 * Whether the person who asked for a record may do something with it: it is not read-only, or a role of theirs has the
 * right. The one place that decides what screens offer; the server decides again.
 * @param right left out: what only its owner may
 */
export const mayOn = (record: object, right?: Right): boolean =>
  !isReadOnly(record) || ('rights' in record && Array.isArray(record.rights) && record.rights.includes(right))
