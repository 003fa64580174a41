import { describeFields, isConcealed } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import type { Row } from '../db/table.ts'

export type WireRow = Record<string, unknown>

const stamps = ['id', 'created_at', 'updated_at']

interface Shape {
  names: string[]
  omittable: ReadonlySet<string>
  concealed: ReadonlySet<string>
}

const shapes = new WeakMap<Entity, Shape>()

/**
 * A kept record as the wire shows it: without its owner and its secrets, and without what says nothing where the
 * contract omits that.
 */
export function encodeRow(entity: Entity, row: Row): WireRow {
  const { names, omittable, concealed } = shapeOf(entity)
  const wire: WireRow = {}
  for (const name of names) {
    const value = concealed.has(name) ? '' : row[name]
    if (!omittable.has(name) || !isEmpty(value)) wire[name] = value
  }
  return wire
}

/** Without the members that say nothing: zero, '', false, null, an empty list. */
export function withoutEmpty<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => !isEmpty(member))) as Partial<T>
}

function isEmpty(value: unknown): boolean {
  if (!value) return true
  return Array.isArray(value) && value.length === 0
}

function shapeOf(entity: Entity): Shape {
  const known = shapes.get(entity)
  if (known) return known
  const fields = describeFields(entity).filter(({ name, transient }) => !stamps.includes(name) && !transient)
  const shape = {
    names: [...stamps, ...fields.map(({ name }) => name)],
    // What only newer servers know they always say: by that they are recognised.
    omittable: new Set(fields.filter((field) => field.omittable && !field.newer).map(({ name }) => name)),
    concealed: new Set(fields.filter(isConcealed).map(({ name }) => name)),
  }
  shapes.set(entity, shape)
  return shape
}
