import type { Entity } from '../../schemas/define/entity.ts'
import { configuredFields, namesIn } from './fileValues.ts'
import type { RecordChange } from './plan.ts'

/** Changes in their order, and a record that no order is right for. */
interface OrderedChanges {
  changes: readonly RecordChange[]
  /** A new record that refers to itself by way of other new ones; where there is one, `changes` lacks some. */
  circle?: RecordChange
}

/**
 * The changes of one entity, each behind new records of its own kind that it refers to: those that are created first,
 * then those that are changed.
 */
export function inOrder(entity: Entity, changes: readonly RecordChange[]): OrderedChanges {
  const created = new Map(changes.filter(({ verb }) => verb === 'create').map((change) => [change.name, change]))
  const fields = configuredFields(entity)
  const needs = new Map([...created.values()].map((change) => [change, new Set(neededBy(change))]))
  const neededFor = new Map<RecordChange, RecordChange[]>()
  for (const [change, needed] of needs) {
    for (const one of needed) {
      const others = neededFor.get(one)
      if (others) others.push(change)
      else neededFor.set(one, [change])
    }
  }

  function neededBy({ fields: given }: RecordChange): RecordChange[] {
    return given.flatMap(({ field: name, after }) => {
      const field = fields.find((one) => one.name === name)
      const own = (field ? namesIn(field, after) : []).filter(({ to }) => to === entity.name)
      return own.flatMap(({ name: other }) => created.get(other) ?? [])
    })
  }

  const ready = [...needs.keys()].filter((change) => needs.get(change)?.size === 0)
  // Grows while it is gone through.
  for (const change of ready) {
    for (const other of neededFor.get(change) ?? []) {
      const left = needs.get(other)
      left?.delete(change)
      if (left?.size === 0) ready.push(other)
    }
  }
  const circle = recordInCircle(needs)
  return { changes: [...ready, ...changes.filter(({ verb }) => verb !== 'create')], ...(circle && { circle }) }
}

/** Follows what records still need until one comes again. @param needs empty for each that needs nothing more */
function recordInCircle(needs: ReadonlyMap<RecordChange, ReadonlySet<RecordChange>>): RecordChange | undefined {
  let [current] = [...needs].find(([, left]) => left.size > 0) ?? []
  const seen = new Set<RecordChange>()
  while (current && !seen.has(current)) {
    seen.add(current)
    ;[current] = needs.get(current) ?? []
  }
  return current
}
