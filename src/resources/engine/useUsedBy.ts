import { useEffect, useState } from 'react'
import { type RaRecord, useDataProvider } from 'react-admin'
import { describeFields, type FieldDescription } from '../../schemas/describe.ts'
import type { Entity } from '../../schemas/entity.ts'
import { entities } from '../../schemas/index.ts'
import { everyRow } from './wholeList.ts'

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
  pagination: everyRow,
  sort: { field: 'id', order: 'ASC' as const },
  filter: {},
}

interface Usage {
  uses: Use[]
  /** Whether a list could not be read. */
  isPartial: boolean
}

/** What points at records, from the lists that are loaded already or can be. */
export function useUsedBy(name: string, ids: readonly (number | string)[]): Usage {
  const dataProvider = useDataProvider()
  const [usage, setUsage] = useState<Usage>({ uses: [], isPartial: false })
  const asked = ids.join()
  useEffect(() => {
    let isOpen = true
    const gone = new Set(asked.split(','))
    const pointers = pointersTo(name)
    const lists = pointers.map(({ entity }) => dataProvider.getList(entity.name, everything))
    void Promise.allSettled(lists).then((results) => {
      if (!isOpen) return
      const failures = results.filter((result) => result.status === 'rejected')
      for (const { reason } of failures) console.error(reason)
      const uses = pointers.map((pointer, index) => {
        const result = results[index]
        return usersIn(pointer, result?.status === 'fulfilled' ? result.value.data : [], gone)
      })
      setUsage({ uses: uses.filter(({ names }) => names.length > 0), isPartial: failures.length > 0 })
    })
    return () => {
      isOpen = false
    }
  }, [name, asked, dataProvider])
  return usage
}

function usersIn({ entity, fields }: Pointer, records: readonly RaRecord[], gone: ReadonlySet<string>): Use {
  const users = records.filter((record) => fields.some((field) => idsIn(record[field.name]).some((id) => gone.has(id))))
  return { entity: entity.name, names: users.map(({ id, name }) => name || `#${id}`) }
}

/** The ids in a `ref`, `refs` or `idSet`. */
function idsIn(value: unknown): string[] {
  if (value && typeof value === 'object' && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([id, on]) => (on === true ? [id] : []))
  }
  return [value ?? []].flat().map(String)
}
