import { useQueries } from '@tanstack/react-query'
import { type RaRecord, useDataProvider } from 'react-admin'
import { describeFields, type FieldDescription } from '../../schemas/describe.ts'
import type { Entity } from '../../schemas/entity.ts'
import { entities } from '../../schemas/index.ts'

/** The records of one entity that point at others. */
export interface Use {
  entity: string
  names: string[]
}

interface Pointer {
  entity: Entity
  fields: FieldDescription[]
}

/** The entities whose fields hold ids of another, and those fields. */
export function pointersTo(name: string, all: Readonly<Record<string, Entity>> = entities): Pointer[] {
  return Object.values(all).flatMap((entity) => {
    const fields = describeFields(entity).filter(({ to }) => to === name)
    return entity.name !== name && entity.api.paging === 'whole' && fields.length > 0 ? [{ entity, fields }] : []
  })
}

const everything = {
  pagination: { page: 1, perPage: Number.MAX_SAFE_INTEGER },
  sort: { field: 'id', order: 'ASC' as const },
  filter: {},
}

/** What points at records, from the lists that are loaded already or can be. */
export function useUsedBy(name: string, ids: readonly (number | string)[]) {
  const dataProvider = useDataProvider()
  const pointers = pointersTo(name)
  const lists = useQueries({
    queries: pointers.map(({ entity }) => ({
      queryKey: [entity.name, 'used by'],
      queryFn: async () => (await dataProvider.getList(entity.name, everything)).data as RaRecord[],
    })),
  })
  const gone = new Set(ids.map(String))
  const uses = pointers.flatMap(({ entity, fields }, index): Use[] => {
    const users = (lists[index]?.data ?? []).filter((record) =>
      fields.some((field) => idsIn(record[field.name]).some((id) => gone.has(id))),
    )
    return users.length > 0 ? [{ entity: entity.name, names: users.map(({ id, name }) => name || `#${id}`) }] : []
  })
  return { uses, isPartial: lists.some(({ isError }) => isError) }
}

/** The ids in a `ref`, `refs` or `idSet`. */
function idsIn(value: unknown): string[] {
  if (value && typeof value === 'object' && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([id, on]) => (on === true ? [id] : []))
  }
  return [value ?? []].flat().map(String)
}
