import type { Entity } from './entity.ts'
import type { Values } from './values.ts'

/** A row as the server sent it as a flat record. Reading is tolerant: one that does not fit the codec stays as it came. */
export function fromWireRow({ api }: Entity, wire: unknown): Values {
  const decoded = api.row?.safeParse(wire)
  return (decoded?.success ? decoded.data : wire) as Values
}

/** The body in a form that older servers read as well. */
export function toWireBody({ api }: Entity, body: Values): Values {
  return api.send?.(body) ?? body
}

/** The record as it is sent back: without what the server computes, with fields that this program does not know. */
export function withoutComputed(entity: Entity, record: Values): Values {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !(key in entity.computed.shape)))
}
