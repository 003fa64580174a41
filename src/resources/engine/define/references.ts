import { describeFields, type FieldDescription } from '../../../schemas/define/describe.ts'
import type { Entity } from '../../../schemas/define/entity.ts'
import type { Mention } from '../../../schemas/define/fields.ts'
import { entities } from '../../../schemas/index.ts'

/** A place in an entity's records where ids of another stand. */
export interface Pointer extends Mention {
  field: string
}

/** Where the records of an entity point at another. */
export function pointersIn(entity: Entity, to: string): Pointer[] {
  return describeFields(entity).flatMap(({ name, ...field }) =>
    placesIn(field)
      .filter((place) => place.to === to)
      .map((place) => ({ ...place, field: name })),
  )
}

const placesIn = ({ to, mentions = [] }: Pick<FieldDescription, 'to' | 'mentions'>): readonly Mention[] =>
  to ? [{ to }, ...mentions] : mentions

/** The entities whose records point at another, and where. Of a list that the server pages, no page is the whole. */
export function pointersTo(name: string, all: Readonly<Record<string, Entity>> = entities) {
  return Object.values(all)
    .filter((entity) => entity.name !== name && entity.api.paging === 'whole')
    .map((entity) => ({ entity, pointers: pointersIn(entity, name) }))
    .filter(({ pointers }) => pointers.length > 0)
}

/** Whether a record points at one of those at this place. */
export const pointsAt = (record: Values, { field, path }: Pointer, ids: ReadonlySet<string>): boolean =>
  idsIn(record[field], path).some((id) => ids.has(id))

type Values = Readonly<Record<string, unknown>>

/** The ids at the end of a path (see `Mention`). An entry of an object with `false` means nothing. */
function idsIn(value: unknown, [step, ...rest]: readonly string[] = []): string[] {
  if (step === '*') return Array.isArray(value) ? value.flatMap((item) => idsIn(item, rest)) : []
  if (step !== undefined) return idsIn((value as Values | null | undefined)?.[step], rest)
  if (typeof value === 'string') return value.split(',').map((id) => id.trim())
  if (value && typeof value === 'object' && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([id, on]) => (on === false ? [] : [id]))
  }
  return [value ?? []].flat().map(String)
}
