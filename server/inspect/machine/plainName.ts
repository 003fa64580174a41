/** Characters of a name that a machine gives. */
const maxName = 60

/** A name as a machine gives it, without what could pass for another line, a link or markup in a message. */
export const plainName = (name: string): string => name.replace(/[^\p{L}\p{N}/._@+-]+/gu, '_').slice(0, maxName) || '?'
