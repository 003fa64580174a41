/** Whether the person who asked for a record may only look at it, as with a server that somebody shares with them. */
export const isReadOnly = (record: object): boolean => 'read_only' in record && record.read_only === true
