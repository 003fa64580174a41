/** A record as it is stored: the fields of its entity, and whose it is. The owner is not on the wire. */
export type Row = Record<string, unknown> & { id: number; user_id: number }

/** A record as a reply has it. */
export type ResponseRow = Record<string, unknown>

/** The fields of a create or an update. */
export type Form = Record<string, unknown>
