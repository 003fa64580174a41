import { createContext, use, useCallback, useEffect, useState } from 'react'
import { type RaRecord, useDataProvider } from 'react-admin'
import { everyRow } from '../../records/queryRows.ts'
import { allows } from '../../schemas/define/access.ts'
import { type Reference, referencedIds, referencesOf } from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import type { Values } from '../../schemas/define/values.ts'
import { entities } from '../../schemas/index.ts'
import { AnnouncedFeaturesContext, isAnnounced } from '../define/page.tsx'
import { useIdentity } from '../parts/identity.tsx'

/** What refers to records: records of an entity, or fields of a singleton. */
export interface Use {
  /** The key of its name. */
  title: string
  names: string[]
}

/** A record that exists once and is in no list, such as the site's settings. It may refer to records too. */
export interface Singleton {
  /** Fetches what it is: the code for it comes when something is deleted. */
  loadEntity: () => Promise<Entity>
  record: Values
  /** The key of its name, and of its fields' names. */
  title: string
  fieldTitle: (field: string) => string
}

export const SingletonsContext = createContext<readonly Singleton[]>([])

const everything = {
  pagination: everyRow,
  sort: { field: 'id', order: 'ASC' as const },
  filter: {},
}

interface Usage {
  uses: Use[]
  /** Fields of singletons; the names are text keys. */
  singletons: Use[]
  /** Whether a list could not be read. */
  isPartial: boolean
}

const nothing: Usage = { uses: [], singletons: [], isPartial: false }

/**
 * Tells the entities whose records may refer to those of an entity, and which this person may read. A function, because
 * finding them describes all entities, which no list needs before something is deleted.
 */
export function useFindReferring(name: string) {
  const announced = use(AnnouncedFeaturesContext)
  const { identity } = useIdentity()
  const role = identity?.role
  return useCallback(
    () =>
      referencesTo(name).filter(({ entity }) => allows(role, entity.access.list) && isAnnounced({ entity }, announced)),
    [name, role, announced],
  )
}

/**
 * What refers to records, according to the lists of all entities that this person may read; lists that are not loaded are
 * fetched.
 */
export function useUsedBy(name: string, ids: readonly (number | string)[]): Usage {
  const dataProvider = useDataProvider()
  const singletons = use(SingletonsContext)
  const [usage, setUsage] = useState(nothing)
  const findReferring = useFindReferring(name)
  const joinedIds = ids.join()
  useEffect(() => {
    let isOpen = true
    const deletedIds = new Set(joinedIds.split(','))
    const referring = findReferring()
    const lists = referring.map(({ entity }) => dataProvider.getList(entity.name, everything))
    const fields = singletons.map(async ({ loadEntity, record, title, fieldTitle }) => {
      const references = referencesIn(await loadEntity(), name)
      const found = references.filter((reference) => refersTo(record, reference, deletedIds))
      return { title, names: found.map(({ field }) => fieldTitle(field)) }
    })
    void Promise.all([Promise.allSettled(lists), Promise.allSettled(fields)]).then(([results, ofSingletons]) => {
      if (!isOpen) return
      const failures = [...results, ...ofSingletons].filter((result) => result.status === 'rejected')
      for (const { reason } of failures) console.error(reason)
      const uses = referring.map(({ entity, references }, index) => {
        const result = results[index]
        const records = result?.status === 'fulfilled' ? result.value.data : []
        return { title: `resources.${entity.name}.name`, names: usersAmong(records, references, deletedIds) }
      })
      const inSettings = ofSingletons.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      setUsage({ uses: uses.filter(isUse), singletons: inSettings.filter(isUse), isPartial: failures.length > 0 })
    })
    return () => {
      isOpen = false
    }
  }, [findReferring, joinedIds, dataProvider, singletons, name])
  return usage
}

const isUse = ({ names }: Use) => names.length > 0

const usersAmong = (records: readonly RaRecord[], references: readonly Reference[], deletedIds: ReadonlySet<string>) =>
  records
    .filter((record) => references.some((reference) => refersTo(record, reference, deletedIds)))
    .map(({ id, name }) => name || `#${id}`)

/** The places in an entity's records where ids of another entity stand. */
const referencesIn = (entity: Entity, to: string): Reference[] =>
  referencesOf(entity).filter((reference) => reference.to === to)

/**
 * The entities whose records refer to an entity, and where they do. Lists that the server pages are left out: there is
 * no call that gives all of their records.
 */
function referencesTo(name: string) {
  return Object.values<Entity>(entities)
    .filter((entity) => entity.name !== name && entity.api.paging === 'whole')
    .map((entity) => ({ entity, references: referencesIn(entity, name) }))
    .filter(({ references }) => references.length > 0)
}

/** Whether a record refers at this place to one of these ids. */
const refersTo = (record: Values, { field, path }: Reference, ids: ReadonlySet<string>): boolean =>
  referencedIds(record[field], path).some((id) => ids.has(id))
