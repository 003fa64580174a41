import { createContext, use, useEffect, useState } from 'react'
import { type RaRecord, useDataProvider } from 'react-admin'
import { everyRow } from '../../../records/wholeList.ts'
import type { Entity } from '../../../schemas/define/entity.ts'
import type { Reference } from '../../../schemas/define/references.ts'
import { pointersIn, pointersTo, pointsAt } from '../define/references.ts'

/** What points at records: records of an entity, or parts of something that there is once. */
export interface Use {
  /** The key of its name. */
  title: string
  names: string[]
}

/** Something that there is once and in no list, such as the site's settings, and that may point at records too. */
export interface Single {
  entity: Entity
  record: Readonly<Record<string, unknown>>
  /** The key of its name, and of its fields' names. */
  title: string
  fieldTitle: (field: string) => string
}

export const SinglesContext = createContext<readonly Single[]>([])

const everything = {
  pagination: everyRow,
  sort: { field: 'id', order: 'ASC' as const },
  filter: {},
}

interface Usage {
  uses: Use[]
  /** The keys of the names of fields that point at them. */
  singles: Use[]
  /** Whether a list could not be read. */
  isPartial: boolean
}

const nothing: Omit<Usage, 'singles'> = { uses: [], isPartial: false }

/** What points at records, from the lists that are loaded already or can be. */
export function useUsedBy(name: string, ids: readonly (number | string)[]): Usage {
  const dataProvider = useDataProvider()
  const singles = use(SinglesContext)
  const [usage, setUsage] = useState(nothing)
  const asked = ids.join()
  useEffect(() => {
    let isOpen = true
    const gone = new Set(asked.split(','))
    const found = pointersTo(name)
    const lists = found.map(({ entity }) => dataProvider.getList(entity.name, everything))
    void Promise.allSettled(lists).then((results) => {
      if (!isOpen) return
      const failures = results.filter((result) => result.status === 'rejected')
      for (const { reason } of failures) console.error(reason)
      const uses = found.map(({ entity, pointers }, index) => {
        const result = results[index]
        const records = result?.status === 'fulfilled' ? result.value.data : []
        return { title: `resources.${entity.name}.name`, names: usersAmong(records, pointers, gone) }
      })
      setUsage({ uses: uses.filter(isUse), isPartial: failures.length > 0 })
    })
    return () => {
      isOpen = false
    }
  }, [name, asked, dataProvider])
  const gone = new Set(ids.map(String))
  const ofSingles = singles.map(({ entity, record, title, fieldTitle }) => {
    const pointers = pointersIn(entity, name).filter((pointer) => pointsAt(record, pointer, gone))
    return { title, names: pointers.map(({ field }) => fieldTitle(field)) }
  })
  return { ...usage, singles: ofSingles.filter(isUse) }
}

const isUse = ({ names }: Use) => names.length > 0

const usersAmong = (records: readonly RaRecord[], pointers: readonly Reference[], gone: ReadonlySet<string>) =>
  records
    .filter((record) => pointers.some((pointer) => pointsAt(record, pointer, gone)))
    .map(({ id, name }) => name || `#${id}`)
